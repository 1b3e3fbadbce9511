// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
package import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobStore
internal import KeyfobVault

/// The life of the token's user PIN (docs/adr/0013-pin-life-cycle.md).
extension KeychainEngine {
    /// Changes the user PIN; the keychain stays as locked as it is.
    ///
    /// - Parameter caller: who asked, for the audit log; nil: this process.
    /// - Throws: as `Vault.changePIN`; `.notAvailable` after `close`.
    package func changePIN(
        from old: borrowing SecretBytes, to new: borrowing SecretBytes, finalTry: Bool = false,
        by caller: Caller? = nil
    ) throws(KeychainError) {
        try recording(.changePIN, by: caller) { () throws(KeychainError) in
            try refuseClosed()
            try core.vault.changePIN(from: old, to: new, finalTry: finalTry)
            renewTokenCopies()
        }
        Log.shared.notice("keychain \(home.path): the PIN of the token was changed")
    }

    /// Changes the user PIN; a person enters both on the device.
    ///
    /// Blocks until that is done.
    ///
    /// - Throws: as `Vault.changePINOnDevice`; `.notAvailable` after `close`.
    package func changePINOnDevice(finalTry: Bool = false, by caller: Caller? = nil) throws(KeychainError) {
        try recording(.changePIN, by: caller) { () throws(KeychainError) in
            try refuseClosed()
            try core.vault.changePINOnDevice(finalTry: finalTry)
        }
        Log.shared.notice("keychain \(home.path): the PIN of the token was changed on its device")
    }

    /// Sets a new user PIN by that of the security officer; the items that exist only while a passcode is set are gone
    /// then, and the keychain is locked.
    ///
    /// A crash at any point leaves a keychain that the next unlock puts in order.
    ///
    /// - Parameters:
    ///   - items: how many items go: with another number nothing is tried.
    ///   - caller: who asked, for the audit log; nil: this process.
    /// - Throws: `.invalidParameter` for another number; as `Vault.initializePIN` and then as `unlock`; the store's
    ///   faults; `.notAvailable` after `close`.
    package func unblock(
        _ new: borrowing SecretBytes, securityOfficerPIN: borrowing SecretBytes, destroying items: Int,
        finalTry: Bool = false, by caller: Caller? = nil
    ) throws(KeychainError) {
        try unblock(items, by: caller) { (occasion, destroyItems) throws(KeychainError) in
            try core.vault.initializePIN(
                new, securityOfficerPIN: securityOfficerPIN, finalTry: finalTry, on: occasion,
                destroyItems: destroyItems)
            renewTokenCopies()
        } logIn: { () throws(KeychainError) in
            try logIn(new, finalTry: false, isBrief: false)
        }
    }

    /// The same with PINs that a person enters on the device: the security officer's, the new one, and the new one again
    /// for the login that puts the class of the items in order.
    ///
    /// Blocks until that is done.
    ///
    /// - Throws: as `Vault.initializePINOnDevice` and then as `unlockOnDevice`; as `unblock`.
    package func unblockOnDevice(
        destroying items: Int, finalTry: Bool = false, by caller: Caller? = nil
    ) throws(KeychainError) {
        try unblock(items, by: caller) { (occasion, destroyItems) throws(KeychainError) in
            try core.vault.initializePINOnDevice(finalTry: finalTry, on: occasion, destroyItems: destroyItems)
        } logIn: { () throws(KeychainError) in
            try logInOnDevice(finalTry: false, isBrief: false)
        }
    }

    private func unblock(
        _ items: Int, by caller: Caller?,
        _ initialize: (LastLock, () throws(KeychainError) -> Void) throws(KeychainError) -> Void,
        logIn: () throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try recording(.unblock, by: caller) { () throws(KeychainError) in
            try refuseClosed()
            try KeychainCore.require(items, equals: try passcodeItems())
            let occasion = LastLock(.tokenUnblock, time: WallClock.now())
            try recordingLock(occasion, by: caller) { () throws(KeychainError) in
                try initialize(occasion) { () throws(KeychainError) in
                    try core.destroyPasscodeItems(expecting: items)
                }
                Log.shared.notice(
                    "keychain \(home.path): the security officer set a new PIN; items that went: \(items)")
                try logIn()
                try core.vault.lock(occasion)
            }
        }
    }

    /// Does what locks an unlocked keychain on its way; the lock has a line of its own in the audit log, whatever becomes
    /// of the rest.
    private func recordingLock(
        _ occasion: LastLock, by caller: Caller?, _ body: () throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let wasUnlocked = lockState == .unlocked
        var failure: KeychainError?
        do throws(KeychainError) { try body() } catch { failure = error }
        if wasUnlocked, core.vault.lastLock == occasion {
            var event = AccessEvent(.lock, caller: caller, lockReason: occasion.reason)
            // Of an unblocking that failed the lock went well, unless it is what failed.
            if let failure, failure.operation == .lock { event.result = failure.code }
            try record(event)
            Log.shared.notice("keychain \(home.path) locked (\(occasion.reason.word))")
        }
        if let failure { throw failure }
    }

    /// How many items exist only while a passcode is set.
    package func passcodeItems() throws(KeychainError) -> Int {
        let code = Accessibility.whenPasscodeSetThisDeviceOnly.rawValue
        return try core.store.classKeyUse().reduce(0) { $1.classKey == code ? $0 + $1.items : $0 }
    }

    /// The copy of a software token's file is opened by the PIN it was made with: it must not outlive that one.
    private func renewTokenCopies() {
        if configuration.isSoftwareToken { SoftwareToken(home).renewCopies() }
    }

    /// Makes the passcode class usable again after an unblocking, also one that a crash had cut short.
    ///
    /// If that fails, the keychain works without the class, and the next unlock tries again.
    func renewPasscodeKeyIfDestroyed() {
        do throws(KeychainError) {
            try core.renewPasscodeKeyIfDestroyed()
        } catch {
            Log.shared.error(
                "keychain \(home.path): no new class key akpu was made: error \(error.code.rawValue) of docs/errors.md")
        }
    }
}

extension KeychainCore {
    /// Deletes the items of the passcode class and marks its keys as destroyed, in one transaction.
    ///
    /// - Throws: `.invalidParameter` if they are not as many as expected; nothing was changed then.
    func destroyPasscodeItems(expecting items: Int) throws(KeychainError) {
        try store.write(.unblock, alone: true) { (transaction) throws(KeychainError) in
            let ids = try transaction.ids(sealedUnder: Accessibility.whenPasscodeSetThisDeviceOnly.rawValue)
            try Self.require(items, equals: ids.count)
            _ = try transaction.delete(ids)
            for record in try transaction.classKeys() where record.isOfPasscodeClass {
                _ = try transaction.updateClassKey(record.buried)
            }
        }
    }

    /// Makes a new key of the passcode class if the store says that the last one was destroyed.
    func renewPasscodeKeyIfDestroyed() throws(KeychainError) {
        guard !vault.hasPasscodeKey else { return }
        let records = try store.classKeys().filter(\.isOfPasscodeClass)
        // A class without any record, or with one that a newer Keyfob wrote, is not ours to destroy.
        guard !records.isEmpty, records.allSatisfy(\.isDestroyed) else { return }
        let newest = records.map(\.generation).max() ?? 0
        try vault.renewPasscodeKey(after: newest) { (record) throws(KeychainError) in
            try store.write(.unblock, alone: true) { (transaction) throws(KeychainError) in
                // An item that was sealed before and written after the unblocking.
                _ = try transaction.delete(transaction.ids(sealedUnder: record.stored.classKey))
                for old in try transaction.classKeys() where old.isOfPasscodeClass {
                    _ = try transaction.deleteClassKey(old.classKey, generation: old.generation)
                }
                try transaction.insertClassKey(record.stored)
            }
        }
    }

    /// - Throws: `.invalidParameter` unless the caller knows how many items go.
    static func require(_ items: Int, equals actual: Int) throws(KeychainError) {
        guard items != actual else { return }
        throw KeychainError(
            .invalidParameter, .unblock, subject: .parameter("destroy"),
            cause: .format(place: "the keychain", fault: "items that go: \(actual), not \(items)"))
    }
}
