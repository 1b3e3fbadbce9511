// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPKCS11
internal import KeyfobPlatform
internal import KeyfobVault

/// The keychain as one caller sees it: its entitlements, and the operations of an open keychain.
final class CallerService: ProgressingService {
    private let core: KeychainCore
    private let entitlements: Entitlements
    private let pinentry: String?
    private let process = ForkGuard()

    init(core: KeychainCore, entitlements: Entitlements, pinentry: String? = nil) {
        self.core = core
        self.entitlements = entitlements
        self.pinentry = pinentry
    }

    func add(_ request: consuming AddRequest) throws(KeychainError) -> MatchResult { try add(request, nil) }

    func copyMatching(_ request: MatchRequest) throws(KeychainError) -> MatchResult { try copyMatching(request, nil) }

    func copyMatching(
        _ request: MatchRequest, progress: (Int, Int) -> Void
    ) throws(KeychainError) -> MatchResult { try copyMatching(request, nil, progress: progress) }

    func update(_ request: consuming UpdateRequest) throws(KeychainError) { try update(request, nil) }

    func delete(_ request: DeleteRequest) throws(KeychainError) { try delete(request, nil) }

    // The same, with a trace of what was touched for who observes.

    func add(_ request: borrowing AddRequest, _ trace: AccessTrace?) throws(KeychainError) -> MatchResult {
        try begin(.add)
        return try core.add(request, entitlements, trace)
    }

    func copyMatching(
        _ request: MatchRequest, _ trace: AccessTrace?, progress: (Int, Int) -> Void = { _, _ in }
    ) throws(KeychainError) -> MatchResult {
        try begin(.copyMatching)
        return try core.copyMatching(request, entitlements, trace, progress: progress)
    }

    func update(_ request: borrowing UpdateRequest, _ trace: AccessTrace?) throws(KeychainError) {
        try begin(.update)
        try core.update(request, entitlements, trace)
    }

    func delete(_ request: DeleteRequest, _ trace: AccessTrace?) throws(KeychainError) {
        try begin(.delete)
        try core.delete(request, entitlements, trace)
    }

    func isEntitled(to group: AccessGroup, forWriting: Bool) throws(KeychainError) -> Bool {
        entitlements.allows(group, forWriting: forWriting)
    }

    func promptSettings() throws(KeychainError) -> PromptSettings {
        PromptSettings(tokenLabel: core.vault.token.identity.label, pinentry: pinentry)
    }

    private func begin(_ operation: KeychainError.Operation) throws(KeychainError) {
        try refuseChild(operation)
        core.vault.findTokenIfDue()
    }

    /// A fork shares the parent's token sessions and database file offsets: whatever it did would harm the parent.
    private func refuseChild(_ operation: KeychainError.Operation) throws(KeychainError) {
        guard process.isChild else { return }
        throw KeychainError(
            .notAvailable, operation,
            cause: .format(place: "process", fault: "was forked after the keychain was opened; open it after the fork"))
    }
}
