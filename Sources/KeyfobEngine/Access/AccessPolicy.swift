// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobSQLite

/// Which caller is given which access groups: files `*.json` of one folder or several, in the order of their names.
///
/// ```json
/// { "match": {"user": "shop"}, "application-identifier": "ACME.shop", "keychain-access-groups": ["ACME.shared"] }
/// ```
/// A file holds one such rule or an array of them. The first rule that matches decides; a caller that none matches has
/// the application identifier `user.<name>` and no other group.
package struct AccessPolicy: Hashable, Sendable {
    /// One rule.
    ///
    /// All members of `match` that are given must hold; a rule without any matches every caller.
    package struct Rule: Hashable, Sendable {
        /// The file that it stands in.
        package internal(set) var file = ""
        package internal(set) var unit: String?
        package internal(set) var user: String?
        package internal(set) var group: String?
        package internal(set) var executable: String?
        package internal(set) var applicationIdentifier: String?
        package internal(set) var keychainAccessGroups: [String] = []
        package internal(set) var applicationGroups: [String] = []

        func matches(_ caller: Caller) -> Bool {
            if let unit, unit != caller.unit { return false }
            if let executable, executable != caller.executable { return false }
            if let user, user != Accounts.name(of: caller.uid), user != String(caller.uid) { return false }
            if let group, !Self.isMember(caller, of: group) { return false }
            return true
        }

        /// By its main group or a supplementary one; the group is a name or a number.
        private static func isMember(_ caller: Caller, of group: String) -> Bool {
            let groups = [caller.gid] + caller.groups
            if let number = UInt32(group), groups.contains(number) { return true }
            return Accounts.group(group).map { groups.contains($0) } ?? false
        }
    }

    /// In the order in which they are asked.
    package let rules: [Rule]

    package init(rules: [Rule] = []) {
        self.rules = rules
    }

    /// The rule that decides for the caller, or nil.
    package func rule(for caller: Caller) -> Rule? { rules.first { $0.matches(caller) } }

    /// What the caller is given.
    package func entitlements(of caller: Caller) -> Entitlements {
        let rule = rule(for: caller)
        return Entitlements(
            applicationIdentifier: rule?.applicationIdentifier ?? Self.defaultIdentifier(of: caller),
            keychainAccessGroups: rule?.keychainAccessGroups ?? [], applicationGroups: rule?.applicationGroups ?? [])
    }

    /// The application identifier of a caller.
    package func identifier(of caller: Caller) -> String {
        rule(for: caller)?.applicationIdentifier ?? Self.defaultIdentifier(of: caller)
    }

    /// The application identifier of a caller that no rule names.
    package static func defaultIdentifier(of caller: Caller) -> String {
        "user." + (Accounts.name(of: caller.uid) ?? String(caller.uid))
    }
}

extension AccessPolicy {
    private static let sizeLimit = 1 << 20

    /// Reads the policy files of the folders, one folder after the other; one that does not exist has no rules.
    ///
    /// - Throws: as `read(file:)`.
    package static func read(folders: [String]) throws(KeychainError) -> AccessPolicy {
        var rules: [Rule] = []
        for folder in folders {
            for name in try fileNames(folder) { rules += try read(file: folder + "/" + name).rules }
        }
        return AccessPolicy(rules: rules)
    }

    /// Reads one policy file.
    ///
    /// - Throws: `.configurationInvalid` naming file and place; `.permissions` if others than its owner may write to it
    ///   or the owner is neither this process's user nor root, for who writes to it gives himself any group.
    package static func read(file path: String) throws(KeychainError) -> AccessPolicy {
        let value = try ConfigurationFile.value(path, limit: sizeLimit)
        let status: FileStatus
        do { status = try FileStatus.of(path) } catch { throw KeychainError(error, .configure, path: path) }
        guard status.isPrivate(forbidding: 0o022) else {
            throw KeychainError(.permissions, .configure, subject: .path(path), remedy: .fixPermissions)
        }
        guard case .array(let elements) = value else { return AccessPolicy(rules: [try rule(value, path)]) }
        var rules: [Rule] = []
        for element in elements { rules.append(try rule(element, path)) }
        return AccessPolicy(rules: rules)
    }

    private static func fileNames(_ folder: String) throws(KeychainError) -> [String] {
        do {
            return try FolderNames.of(folder).filter { $0.hasSuffix(".json") }
        } catch {
            if error.errno == ENOENT { return [] }
            throw KeychainError(error, .configure, path: folder)
        }
    }

    private static func rule(_ value: JSONValue, _ path: String) throws(KeychainError) -> Rule {
        guard case .object(let members) = value else {
            throw ConfigurationFile.invalid(path, "a rule", "must be an object")
        }
        var rule = Rule(file: path)
        var hasMatch = false
        for (name, value) in members {
            switch name {
            case "match":
                hasMatch = true
                try match(value, path, into: &rule)
            case "application-identifier":
                rule.applicationIdentifier = try text(value, name, path)
            case "keychain-access-groups":
                rule.keychainAccessGroups = try texts(value, name, path)
            case "application-groups":
                rule.applicationGroups = try texts(value, name, path)
            default:
                throw ConfigurationFile.invalid(path, name, "is no member of a rule")
            }
        }
        guard hasMatch else { throw ConfigurationFile.invalid(path, "match", "is missing") }
        return rule
    }

    private static func match(_ value: JSONValue, _ path: String, into rule: inout Rule) throws(KeychainError) {
        guard case .object(let members) = value else {
            throw ConfigurationFile.invalid(path, "match", "must be an object")
        }
        for (name, value) in members {
            let wanted = try text(value, name, path)
            switch name {
            case "unit": rule.unit = wanted
            case "user": rule.user = wanted
            case "group": rule.group = wanted
            case "executable": rule.executable = wanted
            default: throw ConfigurationFile.invalid(path, name, "is nothing to match by")
            }
        }
    }

    private static func text(_ value: JSONValue, _ name: String, _ path: String) throws(KeychainError) -> String {
        guard case .string(let text) = value, !text.isEmpty else {
            throw ConfigurationFile.invalid(path, name, "must be a string that is not empty")
        }
        return text
    }

    private static func texts(_ value: JSONValue, _ name: String, _ path: String) throws(KeychainError) -> [String] {
        guard case .array(let elements) = value else {
            throw ConfigurationFile.invalid(path, name, "must be an array of strings")
        }
        var texts: [String] = []
        for element in elements { texts.append(try text(element, name, path)) }
        return texts
    }
}
