// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// What one rule of an access policy says.
package struct RuleReport: Hashable, Sendable {
    /// The file that it stands in.
    package let file: String
    /// What must hold, as `unit=shop.service`; none: it fits everybody.
    package let conditions: [String]
    /// Nil: that of the user.
    package let applicationIdentifier: String?
    package let accessGroups: [String]

    package init(file: String, conditions: [String], applicationIdentifier: String?, accessGroups: [String]) {
        self.file = file
        self.conditions = conditions
        self.applicationIdentifier = applicationIdentifier
        self.accessGroups = accessGroups
    }
}

/// What a running process is to a keychain.
package struct CallerReport: Hashable, Sendable {
    package let caller: Caller
    /// The user's name, or nil if there is none.
    package let userName: String?
    /// The rule that decides, or nil: none fits.
    package let rule: RuleReport?
    /// The application identifier.
    package let identifier: String
    /// In order; the first is that of new items.
    package let accessGroups: [String]
    /// Whether it is given every group there is.
    package let seesAll: Bool

    package init(
        caller: Caller, userName: String?, rule: RuleReport?, identifier: String, accessGroups: [String], seesAll: Bool
    ) {
        self.caller = caller
        self.identifier = identifier
        self.userName = userName
        self.rule = rule
        self.accessGroups = accessGroups
        self.seesAll = seesAll
    }
}
