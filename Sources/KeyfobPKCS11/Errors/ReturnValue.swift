// SPDX-License-Identifier: Apache-2.0

/// What a Cryptoki function returned (`CK_RV`).
///
/// A value that no standard names keeps its number, up to the log.
package struct ReturnValue: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt

    package init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The C name, such as `CKR_PIN_INCORRECT`; `CKR_0x80000123` where there is none.
    package var name: String {
        Self.names[rawValue] ?? "CKR_0x" + String(rawValue, radix: 16, uppercase: true)
    }

    /// Name and number, such as `CKR_PIN_LOCKED (0xA4)`.
    package var description: String {
        guard let known = Self.names[rawValue] else { return name }
        return "\(known) (0x\(String(rawValue, radix: 16, uppercase: true)))"
    }
}
