// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// A vault on a SoftHSM token of one test alone, with a second view of the token beside it: what an attacker in the
/// same process has.
struct TestVault {
    let token: SoftHSMToken
    let keychain: ItemUUID
    let keys: Provisioner.Keys
    let vault: Vault
    /// The same token through `Token` objects that the vault knows nothing of.
    let beside: Token

    init() throws {
        token = try SoftHSMToken.make()
        keychain = try Vault.freshUUID(.create)
        let opened = try token.open()
        keys = try Self.provision(keychain, opened, pin: token.pin())
        vault = try Vault(
            keychain: keychain, token: opened, records: keys.records, sealedIndexKey: keys.sealedIndexKey)
        beside = try token.open()
    }

    /// Makes the class keys of a keychain.
    static func provision(
        _ keychain: ItemUUID, _ token: Token, _ policy: KeyPolicy = KeyPolicy(), pin: consuming SecretBytes
    ) throws -> Provisioner.Keys {
        var made: Provisioner.Keys?
        try Provisioner.run(keychain: keychain, token: token, policy, pin: pin, progress: { _ in }) { made = $0 }
        return try #require(made)
    }

    /// A second vault of the same keychain, before first unlock.
    func reopened() throws -> Vault {
        try Vault(
            keychain: keychain, token: token.open(), records: keys.records, sealedIndexKey: keys.sealedIndexKey)
    }

    func unlocked() throws -> TestVault {
        try vault.unlock(token.pin())
        return self
    }

    func id(_ accessibility: Accessibility) -> ClassKeyID { ClassKeyID(accessibility, generation: 1) }

    /// The key's object on the token, as a search beside the vault finds it; nil if it finds none.
    func tokenObject(_ accessibility: Accessibility) throws -> ObjectHandle? {
        try find(KeyName(id(accessibility), of: keychain))
    }

    /// The wrapping key's object on the token.
    func wrappingObject() throws -> ObjectHandle? {
        try find(KeyName(wrappingKeyOf: keychain, generation: 1))
    }

    private func find(_ name: KeyName) throws -> ObjectHandle? {
        try beside.withSession { (session) throws(PKCS11Error) in
            try session.find(ClassKeyTemplate.search(name, .secretKey), limit: 2).first
        }
    }

    /// What `C_DecryptInit` and `C_Decrypt` with a handle make of a ciphertext: nil for success, else the function and
    /// its return value.
    func decryption(_ blob: [UInt8], with handle: ObjectHandle) -> PKCS11Error? {
        do throws(SealError) {
            let opened = unsafe try GCMSealing(beside, key: handle).open(blob.span.bytes, [])
            return opened.count == 32 ? nil : PKCS11Error(function: "count", returnValue: .generalError)
        } catch {
            guard case .token(let error) = error else {
                return PKCS11Error(function: "host", returnValue: .generalError)
            }
            return error
        }
    }

    /// 32 bytes sealed on the token under a handle, with no associated data.
    func sealed(with handle: ObjectHandle) throws -> [UInt8] {
        try GCMSealing(beside, key: handle)
            .seal(SecretBytes(copying: [UInt8](repeating: 9, count: 32)), [], behind: [])
    }
}

extension Accessibility {
    static let whileUnlocked = allCases.filter { $0.availability == .whileUnlocked }
    static let afterUnlock = allCases.filter { $0.availability == .afterFirstUnlock }
    static let atAllTimes = allCases.filter { $0.availability == .always }
}

/// The error that `body` throws, or nil if it throws none.
func failure(_ body: () throws(KeychainError) -> Void) -> KeychainError? {
    do throws(KeychainError) {
        try body()
        return nil
    } catch {
        return error
    }
}

extension Vault {
    /// Locks as somebody asked.
    func lock() throws(KeychainError) { try lock(LastLock(.explicit, time: 0)) }

    /// Unblocks as somebody asked.
    func initializePIN(
        _ new: borrowing SecretBytes, securityOfficerPIN: borrowing SecretBytes, finalTry: Bool = false,
        drain: Duration = Token.defaultDrain, destroyItems: () throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try initializePIN(
            new, securityOfficerPIN: securityOfficerPIN, finalTry: finalTry, on: LastLock(.explicit, time: 0),
            drain: drain, destroyItems: destroyItems)
    }

    /// Ends as a process does.
    func end() throws(KeychainError) { try end(LastLock(.daemonEnd, time: 0)) }
}

extension ClassKey {
    /// The object that works, of a suite with one.
    var handle: ObjectHandle { objects[0].handle }
}
