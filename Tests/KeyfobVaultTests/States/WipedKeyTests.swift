// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Synchronization
import Testing

@testable import KeyfobVault

/// That a key which a state forbids is not in the process's memory: the place where it lay is looked at.
@Suite(.lendsTokens) struct WipedKeyTests {
    /// Where a metadata key lies, and what it is.
    private struct Place {
        let address: UInt
        let bytes: [UInt8]

        init(_ vault: Vault, _ accessibility: Accessibility) throws {
            let key = try vault.metadataKey(vault.currentKey(for: accessibility, .copyMatching), .copyMatching)
            (address, bytes) = key.with { key in
                unsafe key.withUnsafeBytes { unsafe (UInt(bitPattern: $0.baseAddress), Array($0)) }
            }
        }

        /// A region of the arena is never unmapped, so the place can be looked at when it is nobody's.
        var isWiped: Bool {
            unsafe !UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: bytes.count)
                .elementsEqual(bytes)
        }
    }

    @Test(arguments: Accessibility.whileUnlocked)
    func `A lock wipes the metadata keys of the classes that it closes`(accessibility: Accessibility) throws {
        let test = try TestVault().unlocked()
        let place = try Place(test.vault, accessibility)
        #expect(!place.isWiped)
        try test.vault.lock()
        #expect(place.isWiped)
    }

    @Test(arguments: Accessibility.afterUnlock + Accessibility.atAllTimes)
    func `A lock leaves the metadata keys of the other classes, and the end wipes those of a login`(
        accessibility: Accessibility
    ) throws {
        let test = try TestVault().unlocked()
        let place = try Place(test.vault, accessibility)
        try test.vault.lock()
        #expect(!place.isWiped)
        try test.vault.end()
        #expect(place.isWiped == (accessibility.availability == .afterFirstUnlock))
    }

    @Test(arguments: Accessibility.allCases)
    func `A token that goes has every metadata key wiped`(accessibility: Accessibility) throws {
        let plan = FaultPlan()
        let made = try SoftHSMToken.make()
        let keychain = try Vault.freshUUID(.create)
        let keys = try TestVault.provision(keychain, made.open(), pin: made.pin())
        let vault = try Vault(
            keychain: keychain, token: made.open(interposer: plan), records: keys.records,
            sealedIndexKey: keys.sealedIndexKey)
        try vault.unlock(made.pin())
        let place = try Place(vault, accessibility)
        plan.fail(.getTokenInfo, with: .tokenNotPresent, times: 2)
        vault.checkToken()
        #expect(vault.lockState == .noToken)
        #expect(place.isWiped)
    }
}
