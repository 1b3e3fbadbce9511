// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
package import KeyfobModel

/// The way to keychains: what the commands need, so that they run on an engine, a daemon or a fake.
///
/// All members block.
package protocol KeychainAccess {
    /// The folder of the keychain that is meant, whether or not there is one.
    ///
    /// - Parameter home: The value of `--home`; nil: the environment decides.
    func folder(_ home: String?) throws(KeychainError) -> String

    /// Whether the folder holds a keychain.
    func exists(in folder: String) throws(KeychainError) -> Bool

    /// Opens the keychain of the folder, locked as it is.
    ///
    /// - Throws: `.keychainNotFound`, `.keychainInUse`, `.permissions`, and the faults of store and token.
    func open(_ folder: String) throws(KeychainError) -> any OpenKeychain

    /// Makes a keychain in the folder and the keys on the token; it is unlocked then.
    ///
    /// - Parameters:
    ///   - token: The URI of an existing token; nil: a SoftHSM token is made in the folder.
    ///   - securityOfficerPIN: For a new token; nil: one is made up and kept nowhere.
    ///   - progress: Is told each step in a few words.
    func create(
        _ folder: String, token: String?, pin: borrowing SecretBytes, securityOfficerPIN: consuming SecretBytes?,
        progress: (String) -> Void
    ) throws(KeychainError) -> any OpenKeychain
}

/// A keychain that was opened.
package protocol OpenKeychain: AnyObject {
    /// The token; nobody is asked.
    var token: TokenIdentity { get }

    /// The items, as this process may see them.
    var service: any KeychainService { get }

    /// Where the keychain's configuration says that the PIN comes from, or nil.
    var configuredPINSource: String? { get }

    /// The pinentry program that the keychain's configuration names, or nil.
    var configuredPinentry: String? { get }

    /// Whether a login outlives the command: true with a daemon.
    var staysUnlocked: Bool { get }

    /// Whether the token is logged in now, as far as this process knows without asking it.
    var isUnlocked: Bool { get }

    /// Logs in with one try of the PIN.
    ///
    /// - Throws: `.pinIncorrect`, `.pinLocked`, `.pinFinalTry` and the faults of the token.
    func unlock(_ pin: borrowing SecretBytes, finalTry: Bool) throws(KeychainError)

    /// Logs out.
    func lock() throws(KeychainError)

    /// Gives the keychain back to other processes; it is of no more use.
    func close()

    /// What can be said without a PIN.
    func status() throws(KeychainError) -> StatusReport

    /// The access groups that hold items, by name.
    func accessGroups() throws(KeychainError) -> [GroupReport]

    /// Moves every item of a group to another; how many there were.
    ///
    /// - Throws: `.itemNotFound` if the old group holds nothing, `.duplicateItem`, `.interactionNotAllowed`.
    func moveAccessGroup(_ old: AccessGroup, to new: AccessGroup) throws(KeychainError) -> Int

    /// Opens every item.
    ///
    /// - Parameter progress: Is told how many items are done, and of how many.
    func verify(_ progress: (Int, Int) -> Void) throws(KeychainError) -> VerifyReport

    /// The lines of the audit log that fit, oldest first, page by page.
    func audit(_ query: AuditQuery) throws(KeychainError) -> [AuditRecord]

    /// Reads the whole audit log and has the token open its checkpoints.
    ///
    /// - Parameter progress: Is told how many bytes are done, and of how many.
    func verifyAudit(_ progress: (Int, Int) -> Void) throws(KeychainError) -> AuditVerification
}

/// Where PINs and values come from.
package protocol SecretInput {
    /// The PIN of a token that has one.
    ///
    /// - Parameters:
    ///   - explicit: The value of `--pin-source`, or nil.
    ///   - keychain: Names the token and the configured sources; nil if there is none yet.
    func pin(
        explicit: String?, of keychain: (any OpenKeychain)?
    ) throws(KeychainError) -> SecretBytes

    /// The PIN that a new token gets, asked for twice if a person gives it.
    func newPIN(explicit: String?) throws(KeychainError) -> SecretBytes

    /// A value: every byte of the standard input, or, if that is a terminal, a line typed without echo.
    ///
    /// - Parameter label: What stands before the entry.
    func value(label: String) throws(KeychainError) -> SecretBytes
}
