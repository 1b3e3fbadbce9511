// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobSQLite

/// Which caller is given which access groups: the files `access.d/*.json`, in the order of their names.
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
        var unit: String?
        var user: String?
        var group: String?
        var executable: String?
        var applicationIdentifier: String?
        var keychainAccessGroups: [String] = []
        var applicationGroups: [String] = []

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

    private let rules: [Rule]

    package init(rules: [Rule] = []) {
        self.rules = rules
    }

    /// What the caller is given.
    package func entitlements(of caller: Caller) -> Entitlements {
        guard let rule = rules.first(where: { $0.matches(caller) }) else {
            return Entitlements(applicationIdentifier: Self.defaultIdentifier(of: caller))
        }
        return Entitlements(
            applicationIdentifier: rule.applicationIdentifier ?? Self.defaultIdentifier(of: caller),
            keychainAccessGroups: rule.keychainAccessGroups, applicationGroups: rule.applicationGroups)
    }

    /// The application identifier of a caller that no rule names.
    package static func defaultIdentifier(of caller: Caller) -> String {
        "user." + (Accounts.name(of: caller.uid) ?? String(caller.uid))
    }
}

extension AccessPolicy {
    private static let sizeLimit = 1 << 20

    /// Reads the policy files of a folder; a folder that does not exist has no rules.
    ///
    /// - Throws: `.configurationInvalid` naming file and place.
    static func read(_ folder: String) throws(KeychainError) -> AccessPolicy {
        var rules: [Rule] = []
        for name in try fileNames(folder) {
            let path = folder + "/" + name
            switch try ConfigurationFile.value(path, limit: sizeLimit) {
            case .array(let elements):
                for element in elements { rules.append(try rule(element, path)) }
            case let single:
                rules.append(try rule(single, path))
            }
        }
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
        var rule = Rule()
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
