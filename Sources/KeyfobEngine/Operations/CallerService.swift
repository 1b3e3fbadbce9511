// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

/// The keychain as one caller sees it: its entitlements, and the operations of an open keychain.
final class CallerService: KeychainService {
    private let core: KeychainCore
    private let entitlements: Entitlements

    init(core: KeychainCore, entitlements: Entitlements) {
        self.core = core
        self.entitlements = entitlements
    }

    func add(_ request: consuming AddRequest) throws(KeychainError) -> MatchResult {
        try core.add(request, entitlements)
    }

    func copyMatching(_ request: MatchRequest) throws(KeychainError) -> MatchResult {
        try core.copyMatching(request, entitlements)
    }

    func update(_ request: consuming UpdateRequest) throws(KeychainError) {
        try core.update(request, entitlements)
    }

    func delete(_ request: DeleteRequest) throws(KeychainError) {
        try core.delete(request, entitlements)
    }

    func isEntitled(to group: AccessGroup, forWriting: Bool) throws(KeychainError) -> Bool {
        entitlements.allows(group, forWriting: forWriting)
    }
}
