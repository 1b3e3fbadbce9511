// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// A vault on a token whose faults are scripted.
struct MockVault {
    let mock: MockToken
    let keychain: ItemUUID
    let keys: Provisioner.Keys
    let vault: Vault

    /// - Parameters:
    ///   - habits: what the token is like from the start.
    ///   - itemKeys: how many opened item keys are kept; nil: none.
    ///   - prepare: puts onto the token what was there before the keychain.
    init(
        _ habits: [MockStep] = [], policy: KeyPolicy = KeyPolicy(), itemKeys: ItemKeyKeeping? = nil,
        prepare: (MockToken) throws -> Void = { _ in }
    ) throws {
        mock = try MockToken()
        try prepare(mock)
        mock.script(habits)
        keychain = try Vault.freshUUID(.create)
        keys = try TestVault.provision(keychain, mock.open(), policy, pin: mock.token.pin())
        vault = try Vault(
            keychain: keychain, token: mock.open(), records: keys.records, sealedIndexKey: keys.sealedIndexKey,
            itemKeys: itemKeys)
    }

    func unlocked() throws -> MockVault {
        try vault.unlock(mock.token.pin())
        return self
    }

    func id(_ accessibility: Accessibility) -> ClassKeyID { ClassKeyID(accessibility, generation: 1) }

    /// A second vault of the same keychain, before first unlock, by records that may be other ones.
    func reopened(_ records: [KeyRecord]? = nil, sealedIndexKey: [UInt8]? = nil) throws(KeychainError) -> Vault {
        let token: Token
        do { token = try mock.open() } catch let error as PKCS11Error { throw KeychainError(error, .open) } catch {
            throw KeychainError(.internalError, .open)
        }
        return try Vault(
            keychain: keychain, token: token, records: records ?? keys.records,
            sealedIndexKey: sealedIndexKey ?? keys.sealedIndexKey)
    }

    func binding(_ accessibility: Accessibility = .whenUnlocked) throws -> ItemBinding {
        ItemBinding(
            keychain: keychain, item: try Vault.freshUUID(.add), scope: [UInt8](repeating: 1, count: 32),
            tuple: [UInt8](repeating: 2, count: 16), extra: [], key: id(accessibility), accessControl: [])
    }

    func seal(_ binding: ItemBinding) throws(KeychainError) -> [UInt8] {
        let value: SecretBytes
        do { value = try SecretBytes(copying: [7, 8, 9]) } catch { throw KeychainError(error, .add) }
        return try vault.sealValue(value, binding: binding, .add)
    }

    func open(_ blob: [UInt8], _ binding: ItemBinding, in other: Vault? = nil) throws(OpenFailure) -> [UInt8] {
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 3, alignment: 1)
        defer { unsafe output.deallocate() }
        unsafe try (other ?? vault).openValue(blob, binding: binding, into: output, .copyMatching)
        return unsafe Array(output)
    }

    /// Whether the token itself is logged in, whatever the vault thinks.
    func isLoggedIn() throws -> Bool { try mock.isLoggedIn() }
}

extension MockToken {
    /// Whether the token itself is logged in, by a look past the mock.
    func isLoggedIn() throws -> Bool {
        let session = try token.open().openSession(readWrite: false)
        return try session.isLoggedIn()
    }

    /// How many objects are on the token, by a look past the mock.
    func objectCount() throws -> Int {
        let beside = try token.openLoggedIn()
        var template = Template()
        template.set(.token, true)
        let count = try beside.withSession { (session) throws(PKCS11Error) in
            try session.find(template, limit: 100).count
        }
        try beside.logout()
        return count
    }
}

/// The error of a call of a vault that must fail; nil if it did not.
func fault(_ body: () throws(KeychainError) -> Void) -> KeychainError? {
    do throws(KeychainError) {
        try body()
        return nil
    } catch {
        return error
    }
}

extension KeychainError {
    /// The Cryptoki function that failed, if one did.
    var function: String? {
        guard case .pkcs11(let function, _) = cause else { return nil }
        return function
    }
}
