// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// What it takes to use an item: a protection class and constraints (SecAccessControl.h).
///
/// Two are equal if protection and rules are. The object that comes back with an item that was added with
/// `kSecAttrAccessible` carries that protection and no rules; one made with flags 0 carries rules that ask for nothing,
/// and is not equal to it.
public final class SecAccessControl: Hashable, Sendable {
    /// What the object says.
    package let value: AccessControl

    package init(_ value: AccessControl) {
        self.value = value
    }

    /// Whether both say the same.
    public static func == (left: SecAccessControl, right: SecAccessControl) -> Bool { left.value == right.value }

    /// Mixes protection and rules in.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
