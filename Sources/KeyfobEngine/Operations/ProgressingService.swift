// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// A keychain that says how far a long read is.
package protocol ProgressingService: KeychainService {
    /// As `copyMatching`.
    ///
    /// - Parameter progress: is told how many values are open, and of how many, now and then, unless it is quick.
    func copyMatching(
        _ request: MatchRequest, progress: (Int, Int) -> Void
    ) throws(KeychainError) -> MatchResult
}
