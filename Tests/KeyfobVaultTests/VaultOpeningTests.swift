// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// Keychains that cannot be opened, and what is said then.
@Suite(.lendsTokens) struct VaultOpeningTests {
    private func opening(_ test: MockVault, sealedIndexKey: [UInt8]? = nil) -> KeychainError? {
        fault { () throws(KeychainError) in _ = try test.reopened(sealedIndexKey: sealedIndexKey) }
    }

    /// Calls that opening makes after the token was found.
    static let calls: [CryptokiFunction] = [
        .findObjectsInit, .findObjects, .findObjectsFinal, .copyObject, .getAttributeValue, .decryptInit,
    ]

    @Test(arguments: calls)
    func `A call that fails at opening is told by name`(function: CryptokiFunction) throws {
        let test = try MockVault()
        test.mock.script(.answer(function, .deviceError))
        let error = opening(test)
        #expect(error?.code == .tokenFailed && error?.function == function.name)
        #expect(opening(test) == nil)
    }

    @Test func `A token that gives no session is told at opening`() throws {
        let test = try MockVault()
        test.mock.script(.answer(.openSession, .sessionCount, times: MockStep.forever))
        #expect(opening(test)?.function == "C_OpenSession")
    }

    @Test(arguments: [
        (AttributeType.sensitive, [0] as [UInt8]?, "CKA_SENSITIVE"), (.sensitive, nil, "CKA_SENSITIVE"),
        (.extractable, [1], "CKA_EXTRACTABLE"), (.private, [1], "CKA_PRIVATE"), (.token, [1], "CKA_TOKEN"),
        (.wrap, [1], "CKA_WRAP"), (.sign, [1], "CKA_SIGN"),
    ])
    func `A copy that reads otherwise than it was asked for is refused by the name of what differs`(
        attribute: AttributeType, lie: [UInt8]?, name: String
    ) throws {
        let test = try MockVault()
        test.mock.script(.read(attribute, lie))
        let error = opening(test)
        #expect(error?.code == .residenceRefused && error?.subject == .classKey(.always))
        guard case .format(let place, _) = error?.cause else { throw KeychainError(.internalError, .verify) }
        #expect(place == name)
    }

    @Test func `An attribute in a shape that none has is a fault of the token`() throws {
        let test = try MockVault()
        test.mock.script(.read(.sensitive, [1, 0, 0, 0]))
        #expect(opening(test)?.code == .tokenFailed)
    }

    @Test func `A class key that is not on the token is told by the name of its object`() throws {
        let test = try MockVault()
        try test.mock.clear()
        let error = opening(test)
        #expect(error?.code == .notAvailable && error?.subject == .classKey(.always))
        let label = KeyName(test.id(.always), of: test.keychain).label
        #expect(error?.cause == .format(place: label, fault: "is not on the token"))
    }

    @Test func `A class key that is on the token twice is not chosen by guessing`() throws {
        let test = try MockVault()
        let beside = try test.mock.token.openLoggedIn()
        let session = try beside.openSession(readWrite: true)
        let key = try #require(
            try session.findOne(ClassKeyTemplate.search(KeyName(test.id(.always), of: test.keychain), .secretKey)))
        _ = try session.copyObject(key, Template())
        let error = opening(test)
        let label = KeyName(test.id(.always), of: test.keychain).label
        #expect(error?.code == .notAvailable)
        #expect(error?.cause == .format(place: label, fault: "is on the token more than once"))
    }

    @Test(arguments: [[], [1, 1, 9], [UInt8](repeating: 0xFF, count: 67)])
    func `An index key that is no sealed key is damage of the store, and no key is asked for`(sealed: [UInt8]) throws {
        let test = try MockVault()
        let before = test.mock.module.calls(of: .findObjectsInit)
        #expect(opening(test, sealedIndexKey: sealed)?.code == .storeDamaged)
        #expect(test.mock.module.calls(of: .findObjectsInit) == before)
    }

    @Test func `An index key with a changed or missing byte is damage of the store`() throws {
        let test = try MockVault()
        var changed = test.keys.sealedIndexKey
        changed[changed.count - 1] ^= 1
        #expect(opening(test, sealedIndexKey: changed)?.code == .storeDamaged)
        #expect(opening(test, sealedIndexKey: changed.dropLast())?.code == .storeDamaged)
    }

    @Test(arguments: [ReturnValue.generalError, .functionFailed, .encryptedDataInvalid])
    func `A token that fails for a moment makes no store damaged`(value: ReturnValue) throws {
        let test = try MockVault()
        test.mock.script(.answer(.decrypt, value))
        #expect(opening(test) == nil)
        let vault = try test.reopened()
        test.mock.script(.answer(.decrypt, value))
        _ = try vault.metadataKey(test.id(.alwaysThisDeviceOnly), .copyMatching)
    }

    @Test func `A token that is pulled while a keychain is opened is told as not there`() throws {
        let test = try MockVault()
        test.mock.script(.answer(.copyObject, .deviceRemoved))
        let error = opening(test)
        #expect(error?.code == .notAvailable && error?.remedy == .insertToken)
    }
}
