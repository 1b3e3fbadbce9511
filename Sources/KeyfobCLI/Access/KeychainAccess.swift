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

    /// Opens the keychain that is meant, locked as it is: by its daemon if one has it, else here.
    ///
    /// - Parameter home: The value of `--home`; nil: the environment decides.
    /// - Throws: `.keychainNotFound`, `.keychainInUse`, `.permissions`, `.daemonNotAnswering`, and the faults of store and
    ///   token.
    func open(_ home: String?) throws(KeychainError) -> any OpenKeychain

    /// The rules of an access policy file, in order.
    ///
    /// - Throws: `.configurationInvalid` naming file and place, `.permissions` if others may write to it.
    func policy(in file: String) throws(KeychainError) -> [RuleReport]

    /// What a running process is to the keychain that is meant.
    ///
    /// - Parameter home: The value of `--home`; nil: the environment decides.
    /// - Throws: `.invalidParameter` if there is no such process; as `policy(in:)`.
    func caller(_ pid: Int32, _ home: String?) throws(KeychainError) -> CallerReport

    /// The token that a URI names, if its PIN can be entered on its device; nil if it has no way for that. Asks the token.
    func tokenWithPINPad(_ uri: String) throws(KeychainError) -> TokenIdentity?

    /// Makes a keychain in the folder and the keys on the token; it is unlocked then.
    ///
    /// - Parameters:
    ///   - plan: Which token, and how it keeps the keys.
    ///   - pin: nil: a person enters it on the device.
    ///   - securityOfficerPIN: For a new token; nil: one is made up and kept nowhere.
    ///   - progress: Is told each step in a few words.
    func create(
        _ folder: String, _ plan: NewKeychain, pin: borrowing SecretBytes?,
        securityOfficerPIN: consuming SecretBytes?, progress: (String) -> Void
    ) throws(KeychainError) -> any OpenKeychain
}

/// A keychain that was opened, here or by reaching the daemon that has it.
package protocol OpenKeychain: KeychainAdministration {
    /// The token; nobody is asked.
    var token: TokenIdentity { get }

    /// The items, as this process may see them.
    var service: any KeychainService { get }

    /// Where the keychain's configuration says that the PIN comes from, or nil.
    var configuredPINSource: String? { get }

    /// The pinentry program that the keychain's configuration names, or nil.
    var configuredPinentry: String? { get }

    /// Whether the PIN can be entered on the token's device; asks the token.
    func hasPINPad() throws(KeychainError) -> Bool

    /// Whether a login outlives the command: true with a daemon.
    var staysUnlocked: Bool { get }

    /// Whether this process has seen that the token is logged in; it is not asked.
    var isUnlocked: Bool { get }

    /// What the daemon says of itself; nil: there is none.
    func daemonStatus() throws(KeychainError) -> DaemonStatus?

    /// The daemon's measurements as OpenMetrics text; nil: there is no daemon.
    func metrics() throws(KeychainError) -> String?

    /// Gives the keychain back to other processes; it is of no more use.
    func close()
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

    /// What an item asks for that needs a person or a password: from `--pin-source` (a PIN alone) or a person, never from
    /// what the configuration says about logins.
    ///
    /// - Parameters:
    ///   - isNew: Whether it is chosen now; then a person gives it twice.
    ///   - explicit: The value of `--pin-source`, or nil.
    func credential(
        _ kind: Credentials.Kind, isNew: Bool, explicit: String?, of keychain: any OpenKeychain
    ) throws(KeychainError) -> SecretBytes

    /// The PIN that a new token gets, asked for twice if a person gives it.
    func newPIN(explicit: String?) throws(KeychainError) -> SecretBytes

    /// The PIN of a token's security officer; no configured source counts.
    ///
    /// - Parameter explicit: The value of `--so-pin-source`, or nil.
    func securityOfficerPIN(
        explicit: String?, of keychain: any OpenKeychain
    ) throws(KeychainError) -> SecretBytes

    /// The PIN that takes the place of a token's PIN, asked for twice if a person gives it.
    ///
    /// - Parameter explicit: The value of `--new-pin-source`, or nil.
    func replacementPIN(
        explicit: String?, of keychain: any OpenKeychain
    ) throws(KeychainError) -> SecretBytes

    /// The number that a person types to agree to something; nil if there is nobody to ask.
    ///
    /// - Throws: `.canceled` for anything that is no number.
    func number(_ question: String) throws(KeychainError) -> Int?

    /// A value: every byte of the standard input, or, if that is a terminal, a line typed without echo.
    ///
    /// - Parameter label: What stands before the entry.
    func value(label: String) throws(KeychainError) -> SecretBytes
}
