// SPDX-License-Identifier: Apache-2.0
internal import KeyfobEngine
internal import KeyfobModel
internal import KeyfobPlatform

extension RuleReport {
    /// A rule of the engine's.
    init(_ rule: AccessPolicy.Rule) {
        let conditions = [
            ("unit", rule.unit), ("user", rule.user), ("group", rule.group), ("executable", rule.executable),
        ]
        self.init(
            file: rule.file, conditions: conditions.compactMap { name, value in value.map { "\(name)=\($0)" } },
            applicationIdentifier: rule.applicationIdentifier,
            accessGroups: rule.keychainAccessGroups + rule.applicationGroups)
    }
}

extension CallerReport {
    /// What the policies of a folder say of a caller.
    init(_ caller: Caller, in home: KeychainHome) throws(KeychainError) {
        let policy = try AccessPolicy.read(folders: home.policyFolders)
        let entitlements = policy.entitlements(of: caller)
        self.init(
            caller: caller, userName: Accounts.name(of: caller.uid),
            rule: policy.rule(for: caller).map { RuleReport($0) },
            identifier: policy.identifier(of: caller), accessGroups: entitlements.groups.map(\.name),
            seesAll: entitlements.isWildcard)
    }
}
