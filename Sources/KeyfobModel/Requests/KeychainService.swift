// SPDX-License-Identifier: Apache-2.0

/// The keychain as one caller sees it: the joint between Apple's API and whatever serves it.
///
/// An engine in the same process and a daemon behind a socket both fill it. Every call blocks until it is done, may come
/// from any thread, and throws a `KeychainError` whose code is one of those listed in docs/errors.md.
package protocol KeychainService: AnyObject, Sendable {
    /// Adds one item, durably, and returns what `request.returns` asks for (one item).
    ///
    /// - Throws: `.duplicateItem`, `.interactionNotAllowed` (class key locked), `.notAvailable`, `.missingEntitlement`,
    ///   and the faults of token and store. After a throw nothing is stored.
    func add(_ request: consuming AddRequest) throws(KeychainError) -> MatchResult

    /// Finds items.
    ///
    /// - Throws: `.itemNotFound` if nothing matches; `.interactionNotAllowed` if a match is locked.
    func copyMatching(_ request: MatchRequest) throws(KeychainError) -> MatchResult

    /// Changes every match, or none.
    ///
    /// - Throws: `.itemNotFound`, `.duplicateItem`, `.interactionNotAllowed`, `.missingEntitlement`.
    func update(_ request: consuming UpdateRequest) throws(KeychainError)

    /// Removes every match; works in every lock state.
    ///
    /// - Throws: `.itemNotFound`, `.missingEntitlement`.
    func delete(_ request: DeleteRequest) throws(KeychainError)

    /// Whether the caller may name the group in a call that changes items (`forWriting`) or reads them.
    func isEntitled(to group: AccessGroup, forWriting: Bool) throws(KeychainError) -> Bool
}
