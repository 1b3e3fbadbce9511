// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// What a caller wants back (`kSecReturn…`).
package struct ReturnFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let data = Self(rawValue: 1)
    package static let attributes = Self(rawValue: 2)
    package static let reference = Self(rawValue: 4)
    package static let persistentReference = Self(rawValue: 8)
}

/// How many matches a caller wants (`kSecMatchLimit`).
package enum MatchLimit: Hashable, Sendable {
    /// At most that many; 0 finds nothing.
    case count(Int)
    case all
}

/// Whether an item that needs a person may ask for one (`kSecUseAuthenticationUI`).
package enum AuthenticationUI: UInt8, Hashable, Sendable {
    case allow = 0
    case fail = 1
    case skip = 2
}

/// SecItemAdd, parsed.
package struct AddRequest: ~Copyable, Sendable {
    package var itemClass: ItemClass
    /// Attributes as given, normalised, defaults not yet filled in; without `agrp`, `sync`, `pdmn`, `accc`.
    package var attributes: AttributeSet
    /// The group, or nil for the caller's first.
    package var accessGroup: AccessGroup?
    package var isSynchronizable: Bool
    /// As given; with an access control too it is equal to its protection.
    ///
    /// Nil with neither: the class's default.
    package var accessibility: Accessibility?
    package var accessControl: AccessControl?
    /// The value; nil is not the same as empty.
    package var value: SecretBytes?
    package var returns: ReturnFlags
    /// Whether somebody may be asked, where an item of the same key has to be looked at.
    package var authenticationUI = AuthenticationUI.allow
    /// For an access control that asks for a password, and for an item of the same key that needs a person.
    package var credentials: Credentials?

    package init(
        itemClass: ItemClass, attributes: AttributeSet, accessGroup: AccessGroup? = nil, isSynchronizable: Bool = false,
        accessibility: Accessibility? = nil, accessControl: AccessControl? = nil,
        value: consuming SecretBytes? = nil, returns: ReturnFlags = []
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.accessGroup = accessGroup
        self.isSynchronizable = isSynchronizable
        self.accessibility = accessibility
        self.accessControl = accessControl
        self.value = value
        self.returns = returns
    }
}

/// SecItemCopyMatching, parsed.
package struct MatchRequest: Hashable, Sendable {
    package var query: ItemQuery
    package var limit: MatchLimit
    package var returns: ReturnFlags
    package var authenticationUI: AuthenticationUI
    /// For items that need a person or a password.
    package var credentials: Credentials?

    package init(
        _ query: ItemQuery, limit: MatchLimit = .count(1), returns: ReturnFlags = [],
        authenticationUI: AuthenticationUI = .allow
    ) {
        self.query = query
        self.limit = limit
        self.returns = returns
        self.authenticationUI = authenticationUI
    }
}

/// SecItemUpdate, parsed.
package struct UpdateRequest: ~Copyable, Sendable {
    package var query: ItemQuery
    /// Attributes to set; without `agrp`, `sync`, `pdmn`, `accc`, `mdat`.
    package var changes: AttributeSet
    /// The group to move to, or nil: no move.
    package var accessGroup: AccessGroup?
    package var isSynchronizable: Bool?
    /// The new accessibility class; drops an access control unless a new one is given.
    package var accessibility: Accessibility?
    package var accessControl: AccessControl?
    /// The new value, or nil: the value stays.
    package var value: SecretBytes?
    package var authenticationUI: AuthenticationUI
    /// For items that need a person or a password; the password is that of a new access control too.
    package var credentials: Credentials?

    package init(
        _ query: ItemQuery, changes: AttributeSet = [:], accessGroup: AccessGroup? = nil, isSynchronizable: Bool? = nil,
        accessibility: Accessibility? = nil, accessControl: AccessControl? = nil,
        value: consuming SecretBytes? = nil, authenticationUI: AuthenticationUI = .allow
    ) {
        self.query = query
        self.changes = changes
        self.accessGroup = accessGroup
        self.isSynchronizable = isSynchronizable
        self.accessibility = accessibility
        self.accessControl = accessControl
        self.value = value
        self.authenticationUI = authenticationUI
    }
}

/// SecItemDelete, parsed.
package struct DeleteRequest: Hashable, Sendable {
    package var query: ItemQuery

    package init(_ query: ItemQuery) {
        self.query = query
    }
}
