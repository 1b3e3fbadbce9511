// SPDX-License-Identifier: Apache-2.0

/// What an access control object says (SecAccessControl.h): a protection class and constraints on its use.
package struct AccessControl: Hashable, Sendable {
    /// The accessibility class.
    package let protection: Accessibility
    /// Bits of `SecAccessControlCreateFlags`.
    package let flags: UInt64
    /// Whether it was made by `SecAccessControlCreateWithFlags`; an object derived from a bare `kSecAttrAccessible`
    /// carries no rules and is equal to no object that does, even one with flags 0.
    package let hasRules: Bool

    package init(protection: Accessibility, flags: UInt64, hasRules: Bool) {
        self.protection = protection
        self.flags = flags
        self.hasRules = hasRules
    }

    /// The object that stands for an accessibility class alone.
    package init(bare protection: Accessibility) {
        self.init(protection: protection, flags: 0, hasRules: false)
    }

    /// Whether reading the item takes more than the class key.
    package var isConstrained: Bool { flags != 0 }

    /// Ten bytes: protection, 1 if it has rules, flags little-endian.
    ///
    /// Bound to the item as associated data.
    package var encoded: [UInt8] {
        [protection.rawValue, hasRules ? 1 : 0] + (0..<8).map { UInt8(truncatingIfNeeded: flags >> (8 * UInt64($0))) }
    }

    /// The object that `encoded` made, or nil for any other bytes.
    package init?(encoded bytes: [UInt8]) {
        guard bytes.count == 10, let protection = Accessibility(rawValue: bytes[0]), bytes[1] <= 1 else { return nil }
        let flags = bytes[2...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(protection: protection, flags: flags, hasRules: bytes[1] == 1)
    }
}
