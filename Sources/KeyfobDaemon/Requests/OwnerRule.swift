// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// Who may do what only the keychain's owner may: lock, unlock, look at everything.
package struct OwnerRule: Hashable, Sendable {
    /// The user that the daemon runs as.
    package let uid: UInt32
    /// A group whose members count as owners, or nil.
    package let group: UInt32?

    package init(uid: UInt32, group: UInt32? = nil) {
        self.uid = uid
        self.group = group
    }

    /// Whether the caller is the daemon's user, root, or in the group.
    package func allows(_ caller: Caller) -> Bool {
        if caller.uid == uid || caller.uid == 0 { return true }
        guard let group else { return false }
        return caller.gid == group || caller.groups.contains(group)
    }

    /// Throws if a request brings a PIN and the caller is no owner: whoever may connect could use up the token's tries.
    ///
    /// - Throws: `.notOwner`.
    func requirePIN(
        _ credentials: Credentials?, _ caller: Caller, _ operation: KeychainError.Operation
    ) throws(KeychainError) {
        guard credentials?.has(.pin) == true else { return }
        try require(caller, operation)
    }

    /// Throws unless the caller is an owner.
    ///
    /// - Throws: `.notOwner`.
    package func require(_ caller: Caller, _ operation: KeychainError.Operation) throws(KeychainError) {
        guard !allows(caller) else { return }
        throw KeychainError(
            .notOwner, operation, cause: .format(place: "user \(caller.uid)", fault: "asked"), remedy: .askOwner)
    }
}
