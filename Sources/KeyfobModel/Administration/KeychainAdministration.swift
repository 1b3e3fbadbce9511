// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// What the owner of a keychain does with it, wherever its engine runs: in this process or in a daemon.
///
/// Every call blocks until it is done and may come from any thread. A daemon answers `.notOwner` to anybody but the
/// keychain's owner, root and the users that its configuration names; to `status` it answers everybody.
package protocol KeychainAdministration: AnyObject, Sendable {
    /// The state of keychain, token, class keys and process; asks the token, needs no login.
    ///
    /// - Throws: `.tokenFailed`, `.notAvailable` if the token does not answer; the store's faults.
    func status() throws(KeychainError) -> KeychainStatus

    /// Logs in to the token with the PIN, which reaches it exactly once.
    ///
    /// - Parameter finalTry: whether a PIN may be tried of which one try is left.
    /// - Throws: `.pinIncorrect`, `.pinLocked`, `.pinFinalTry` and the faults of the token.
    func unlock(_ pin: borrowing SecretBytes, finalTry: Bool) throws(KeychainError)

    /// Logs in to the token with the PIN that a person enters on the device.
    ///
    /// - Throws: as `unlock`; `.unimplemented` if the device has no way to enter a PIN.
    func unlockOnDevice(finalTry: Bool) throws(KeychainError)

    /// Logs out of the token and wipes what hung on the login.
    ///
    /// - Throws: the faults of the token; `.residenceRefused` if it still uses a key afterwards.
    func lock() throws(KeychainError)

    /// Changes the user PIN of the token; the old one reaches it once, and the keychain stays as locked as it is.
    ///
    /// - Parameter finalTry: whether the old PIN may be tried if one try is left.
    /// - Throws: `.pinIncorrect` and the like for the old PIN, `.pinLength`, `.pinUnsuitable` for the new one; the
    ///   faults of the token.
    func changePIN(
        from old: borrowing SecretBytes, to new: borrowing SecretBytes, finalTry: Bool
    ) throws(KeychainError)

    /// Sets a new user PIN by that of the security officer, which reaches the token once; the keychain is locked then.
    ///
    /// The items that exist only while a passcode is set are gone afterwards.
    ///
    /// - Parameters:
    ///   - items: how many they are: with another number nothing is tried.
    ///   - finalTry: whether the security officer's PIN may be tried if one try is left.
    /// - Throws: `.invalidParameter` for another number; `.soPINIncorrect`, `.soPINLocked`, `.soPINFinalTry`, and
    ///   nothing but the lock state has changed; `.pinLength`, `.pinUnsuitable` for the new PIN; `.timedOut` if calls
    ///   on the token do not end; the faults of token and store.
    func unblock(
        _ new: borrowing SecretBytes, securityOfficerPIN: borrowing SecretBytes, destroying items: Int, finalTry: Bool
    ) throws(KeychainError)

    /// Changes the user PIN; a person enters the old and the new one on the device.
    ///
    /// - Throws: as `changePIN`; `.canceled` if the person would not; `.unimplemented` if the device has no way to enter one.
    func changePINOnDevice(finalTry: Bool) throws(KeychainError)

    /// Sets a new user PIN; a person enters on the device the security officer's PIN, the new one, and that again to log in.
    ///
    /// - Throws: as `unblock` and as `changePINOnDevice`. Once the security officer's PIN was taken the items are gone.
    func unblockOnDevice(destroying items: Int, finalTry: Bool) throws(KeychainError)

    /// The access groups that hold items, by name.
    func accessGroups() throws(KeychainError) -> [AccessGroupUse]

    /// Moves every item of a group to another; returns how many there were.
    ///
    /// - Throws: `.itemNotFound` if the old group holds nothing, `.duplicateItem`, `.interactionNotAllowed`.
    func moveAccessGroup(_ old: AccessGroup, to new: AccessGroup) throws(KeychainError) -> Int

    /// Opens every item and compares its digests with what they should be; changes nothing.
    ///
    /// - Parameter progress: is told how many rows are done, and of how many.
    /// - Throws: the token's and the store's faults; a damaged row is a finding.
    func verify(_ progress: (Int, Int) -> Void) throws(KeychainError) -> VerificationReport

    /// The lines of the audit log that fit, oldest first, with the names of items that exist and can be opened now.
    ///
    /// Asked page by page: `AuditQuery.after`. Reads the log's files, and makes no token call.
    ///
    /// - Throws: `.inputOutput`, `.permissions`; the store's faults. No log is an empty one.
    func audit(_ query: AuditQuery) throws(KeychainError) -> [AuditRecord]

    /// Reads the whole audit log and has the token open its checkpoints; changes nothing.
    ///
    /// - Parameter progress: is told how many bytes are done, and of how many.
    /// - Throws: as `audit`, and the token's faults; what is wrong with the log is a finding.
    func verifyAudit(_ progress: (Int, Int) -> Void) throws(KeychainError) -> AuditVerification
}
