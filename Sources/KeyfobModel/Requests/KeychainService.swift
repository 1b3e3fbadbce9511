// SPDX-License-Identifier: Apache-2.0

/// The keychain as one caller sees it: the joint between Apple's API and whatever serves it.
///
/// An engine in the same process and a daemon behind a socket both fill it. Every call blocks until it is done, may come
/// from any thread, and throws a `KeychainError` whose code is one of those listed in docs/errors.md.
package protocol KeychainService: AnyObject, Sendable {
    /// Adds one item, durably, and returns what `request.returns` asks for (one item).
    ///
    /// - Throws: `.duplicateItem`, `.interactionNotAllowed` (class key locked), `.notAvailable`, `.missingEntitlement`,
    ///   `.unimplemented` for an access control that the token cannot honour, `.applicationPasswordRequired`;
    ///   `.presenceRequired` if an item of the same key needs a person to be looked at; and the faults of token and store. After a throw nothing is stored.
    func add(_ request: consuming AddRequest) throws(KeychainError) -> MatchResult

    /// Finds items.
    ///
    /// - Throws: `.itemNotFound` if nothing matches; `.interactionNotAllowed` if a match is locked; `.presenceRequired`,
    ///   `.applicationPasswordRequired` if a match needs what the request does not bring, and nothing was asked of the
    ///   token then; `.pinIncorrect`, `.pinFinalTry`, `.pinLocked`, `.applicationPasswordIncorrect` for what it brings.
    func copyMatching(_ request: MatchRequest) throws(KeychainError) -> MatchResult

    /// Changes every match, or none.
    ///
    /// - Throws: `.itemNotFound`, `.duplicateItem`, `.interactionNotAllowed`, `.missingEntitlement`, and what `copyMatching`
    ///   says of items that need a person or a password.
    func update(_ request: consuming UpdateRequest) throws(KeychainError)

    /// Removes every match; works in every lock state.
    ///
    /// - Throws: `.itemNotFound`, `.missingEntitlement`.
    func delete(_ request: DeleteRequest) throws(KeychainError)

    /// Whether the caller may name the group in a call that changes items (`forWriting`) or reads them.
    func isEntitled(to group: AccessGroup, forWriting: Bool) throws(KeychainError) -> Bool

    /// How the program's user is asked for the PIN of an item that needs a person.
    func promptSettings() throws(KeychainError) -> PromptSettings
}

extension KeychainService {
    package func promptSettings() throws(KeychainError) -> PromptSettings { PromptSettings() }
}

/// What a prompt for one item has to know.
package struct PromptSettings: Hashable, Sendable {
    /// The token whose PIN is asked for, or nil.
    package let tokenLabel: String?
    /// The pinentry program that the keychain's configuration names, or nil: the terminal alone.
    package let pinentry: String?

    package init(tokenLabel: String? = nil, pinentry: String? = nil) {
        self.tokenLabel = tokenLabel
        self.pinentry = pinentry
    }
}
