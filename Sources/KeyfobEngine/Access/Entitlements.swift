// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// What a caller is given: its application identifier and its access groups, in Apple's order.
///
/// The order is keychain access groups, application identifier, application groups; `com.apple.token` comes last,
/// may be read and is never written.
package struct Entitlements: Hashable, Sendable {
    /// The groups in order, each once, without the wildcard.
    package let groups: [AccessGroup]
    /// Whether the list holds `*`: every group there is.
    package let isWildcard: Bool

    /// The list that the three entitlements make.
    package init(
        applicationIdentifier: String?, keychainAccessGroups: [String] = [], applicationGroups: [String] = []
    ) {
        let names = keychainAccessGroups + [applicationIdentifier].compactMap(\.self) + applicationGroups
        var seen: Set<AccessGroup> = []
        var ordered: [AccessGroup] = []
        for group in names.map({ AccessGroup($0) }) where seen.insert(group).inserted { ordered.append(group) }
        let wildcard = AccessGroup("*")
        isWildcard = seen.contains(wildcard)
        let hasToken = seen.contains(.token)
        groups = ordered.filter { $0 != wildcard && $0 != .token } + (hasToken ? [.token] : [])
    }

    /// Whether items of the group may be read, or written.
    package func allows(_ group: AccessGroup, forWriting: Bool) -> Bool {
        if forWriting && group == .token { return false }
        return isWildcard || groups.contains(group)
    }

    /// The group of a new item: the one asked for, or the first of the list.
    ///
    /// - Throws: `.missingEntitlement` if it is not given to the caller, or the caller has none to write to.
    func groupForAdding(_ asked: AccessGroup?) throws(KeychainError) -> AccessGroup {
        guard let group = asked ?? groups.first, allows(group, forWriting: true) else {
            throw Self.missing(asked, .add)
        }
        return group
    }

    static func missing(_ group: AccessGroup?, _ operation: KeychainError.Operation) -> KeychainError {
        KeychainError(
            .missingEntitlement, operation, subject: group.map { .accessGroup($0) }, remedy: .giveAccessGroup)
    }
}
