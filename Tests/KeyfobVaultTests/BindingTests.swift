// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// One change to what a sealed blob is tied to.
enum BoundField: String, CaseIterable, Sendable {
    case keychain, item, scope, tuple, extra, extraGone, accessibility, generation, accessControl

    func changed(_ b: ItemBinding) throws -> ItemBinding {
        let other = try #require(ItemUUID([UInt8](repeating: 0x77, count: 16)))
        let key = b.key
        return ItemBinding(
            keychain: self == .keychain ? other : b.keychain, item: self == .item ? other : b.item,
            scope: self == .scope ? flipped(b.scope) : b.scope, tuple: self == .tuple ? flipped(b.tuple) : b.tuple,
            extra: self == .extra ? flipped(b.extra) : self == .extraGone ? [] : b.extra,
            key: self == .accessibility
                ? ClassKeyID(.whenUnlockedThisDeviceOnly, generation: key.generation)
                : self == .generation ? ClassKeyID(key.accessibility, generation: 2) : key,
            accessControl: self == .accessControl ? flipped(b.accessControl) : b.accessControl)
    }

    private func flipped(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes[bytes.count - 1] ^= 1
        return bytes
    }
}

/// That a sealed blob opens where it was sealed and nowhere else.
@Suite(.lendsTokens) struct BindingTests {
    private func binding(_ test: TestVault) throws -> ItemBinding {
        ItemBinding(
            keychain: test.keychain, item: try Vault.freshUUID(.add), scope: [UInt8](repeating: 1, count: 32),
            tuple: [UInt8](repeating: 2, count: 16), extra: [UInt8](repeating: 3, count: 16),
            key: test.id(.whenUnlocked), accessControl: [1, 2, 3])
    }

    private func open(_ blob: [UInt8], _ binding: ItemBinding, _ vault: Vault) throws(OpenFailure) -> [UInt8] {
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 3, alignment: 1)
        defer { unsafe output.deallocate() }
        unsafe try vault.openValue(blob, binding: binding, into: output, .copyMatching)
        return unsafe Array(output)
    }

    @Test func `A value opens with the binding that it was sealed with`() throws {
        let test = try TestVault().unlocked()
        let binding = try binding(test)
        let blob = try test.vault.sealValue(SecretBytes(copying: [7, 8, 9]), binding: binding, .add)
        #expect(try open(blob, binding, test.vault) == [7, 8, 9])
    }

    @Test(arguments: BoundField.allCases)
    func `A value does not open with another binding`(field: BoundField) throws {
        let test = try TestVault().unlocked()
        let binding = try binding(test)
        var blob = try test.vault.sealValue(SecretBytes(copying: [7, 8, 9]), binding: binding, .add)
        let other = try field.changed(binding)
        // The header would give the move away: it is made to fit, so that the seal itself is what refuses.
        blob.replaceSubrange(2..<7, with: other.key.encoded)
        let failure = #expect(throws: OpenFailure.self) { _ = try open(blob, other, test.vault) }
        if field == .generation {
            // There is no such key: the row is kept, for the key may come back.
            guard case .unavailable(let error)? = failure else { throw KeychainError(.internalError, .verify) }
            #expect(error.code == .notAvailable)
        } else {
            #expect(failure == .damaged(.notAuthentic))
        }
    }

    @Test(arguments: BoundField.allCases.filter { $0 != .generation })
    func `Attributes do not open with another binding`(field: BoundField) throws {
        let test = try TestVault().unlocked()
        let binding = try binding(test)
        var blob = try test.vault.sealMetadata(SecretBytes(copying: [7]), binding: binding, revision: 1, .add)
        let other = try field.changed(binding)
        blob.replaceSubrange(1..<6, with: other.key.encoded)
        #expect(throws: OpenFailure.damaged(.notAuthentic)) {
            _ = try test.vault.openMetadata(blob, binding: other, revision: 1, .copyMatching)
        }
    }

    @Test func `Attributes of an earlier revision do not open as those of a later one`() throws {
        let test = try TestVault().unlocked()
        let binding = try binding(test)
        let blob = try test.vault.sealMetadata(SecretBytes(copying: [7]), binding: binding, revision: 1, .add)
        #expect(throws: OpenFailure.damaged(.notAuthentic)) {
            _ = try test.vault.openMetadata(blob, binding: binding, revision: 2, .copyMatching)
        }
    }

    @Test func `A header that names another class key is refused before any key is used`() throws {
        let test = try TestVault().unlocked()
        let binding = try binding(test)
        let blob = try test.vault.sealValue(SecretBytes(copying: [7, 8, 9]), binding: binding, .add)
        let other = try BoundField.accessibility.changed(binding)
        let before = test.vault.token.calls.total
        #expect(throws: OpenFailure.damaged(.otherClassKey)) { _ = try open(blob, other, test.vault) }
        #expect(test.vault.token.calls.total == before)
    }

    @Test func `No bit of a sealed value can be flipped`() throws {
        let test = try TestVault().unlocked()
        let binding = try binding(test)
        let blob = try test.vault.sealValue(SecretBytes(copying: [7, 8, 9]), binding: binding, .add)
        for position in blob.indices {
            var changed = blob
            changed[position] ^= UInt8(1 << (position % 8))
            let failure = #expect(throws: OpenFailure.self, "byte \(position)") {
                _ = try open(changed, binding, test.vault)
            }
            guard case .damaged? = failure else {
                Issue.record("byte \(position) is taken for a fault of the key")
                continue
            }
        }
    }

    @Test func `No length of a cut value opens`() throws {
        let test = try TestVault().unlocked()
        let binding = try binding(test)
        let blob = try test.vault.sealValue(SecretBytes(copying: [7, 8, 9]), binding: binding, .add)
        for count in 0..<blob.count {
            #expect(throws: OpenFailure.self, "\(count) bytes") {
                _ = try open(Array(blob[..<count]), binding, test.vault)
            }
        }
    }

    @Test func `Two seals of one value have nothing in common`() throws {
        let test = try TestVault().unlocked()
        let binding = try binding(test)
        let first = try test.vault.sealValue(SecretBytes(copying: [7, 8, 9]), binding: binding, .add)
        let second = try test.vault.sealValue(SecretBytes(copying: [7, 8, 9]), binding: binding, .add)
        #expect(first[9..<21] != second[9..<21])
        #expect(first[69..<81] != second[69..<81])
        #expect(first[81...] != second[81...])
    }

    @Test func `The name of a compartment opens under its own digest alone`() throws {
        let test = try TestVault()
        let digest = [UInt8](repeating: 4, count: 32)
        let blob = try test.vault.sealScopeName(SecretBytes(copying: [1, 2]), digest: digest)
        #expect(try test.vault.openScopeName(blob, digest: digest).count == 2)
        #expect(throws: OpenFailure.damaged(.notAuthentic)) {
            _ = try test.vault.openScopeName(blob, digest: [UInt8](repeating: 5, count: 32))
        }
    }

    @Test func `Keys of one keychain open nothing of another on the same token`() throws {
        let test = try TestVault().unlocked()
        let other = try Vault.freshUUID(.create)
        try test.vault.lock()
        let keys = try TestVault.provision(other, test.beside, pin: test.token.pin())
        let vault = try Vault(
            keychain: other, token: test.token.open(), records: keys.records, sealedIndexKey: keys.sealedIndexKey)
        try vault.unlock(test.token.pin())
        try test.vault.unlock(test.token.pin())
        let binding = try binding(test)
        let blob = try test.vault.sealValue(SecretBytes(copying: [7, 8, 9]), binding: binding, .add)
        #expect(throws: OpenFailure.damaged(.notAuthentic)) { _ = try open(blob, binding, vault) }
        #expect(try open(blob, binding, test.vault) == [7, 8, 9])
    }
}
