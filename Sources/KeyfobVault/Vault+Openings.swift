// SPDX-License-Identifier: Apache-2.0
internal import KeyfobPKCS11

/// How many values may be opened at the same time for one operation.
extension Vault {
    /// The most threads that may open values for one operation: one session of the token stays free for others, and a module
    /// that is known not to stand several threads gets one.
    package var openingLimit: Int {
        // A module that does not say what it is may be any.
        guard let info = try? token.module.info(), !info.isFragileUnderThreads else { return 1 }
        return max(1, token.sessionLimit - 1)
    }

    /// Whether a thread that helps another may use a session now: one is left then, and nobody waits for one.
    package var hasSpareSession: Bool { token.hasSpareSession }
}
