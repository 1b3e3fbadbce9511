// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// A new user PIN, and the PIN of the security officer who sets it.
package struct UnblockRequest: ~Copyable, Sendable {
    enum Tag {
        static let securityOfficerPIN: UInt8 = 1
        static let newPIN: UInt8 = 2
        static let items: UInt8 = 3
        static let finalTry: UInt8 = 4
    }

    /// The two PINs.
    package struct PINs: ~Copyable, Sendable {
        package let securityOfficerPIN: SecretBytes
        package let newPIN: SecretBytes

        package init(securityOfficerPIN: consuming SecretBytes, newPIN: consuming SecretBytes) {
            self.securityOfficerPIN = securityOfficerPIN
            self.newPIN = newPIN
        }
    }

    /// Nil: a person enters both on the device.
    package let pins: PINs?
    /// How many items the sender knows will be gone.
    package let items: Int
    /// Whether the security officer's PIN may be tried if one try is left.
    package let finalTry: Bool

    package init(_ pins: consuming PINs?, items: Int, finalTry: Bool) {
        self.pins = pins
        self.items = items
        self.finalTry = finalTry
    }

    borrowing func encode<Sink: WireSink>(_ sink: inout Sink) {
        switch pins {
        case .some(let pins):
            pins.securityOfficerPIN.withBytes { sink.field(Tag.securityOfficerPIN, $0) }
            pins.newPIN.withBytes { sink.field(Tag.newPIN, $0) }
        case .none: break
        }
        sink.field(Tag.items, UInt64(clamping: items))
        sink.field(Tag.finalTry, finalTry)
    }

    init(_ bytes: RawSpan) throws(WireError) {
        var cursor = WireCursor(bytes)
        var securityOfficerPIN: SecretBytes?
        var newPIN: SecretBytes?
        var (items, finalTry): (Int?, Bool?)
        while let field = try cursor.field(bytes) {
            switch field.tag {
            case Tag.securityOfficerPIN:
                securityOfficerPIN = try WireValue.secret(bytes, field.range, limit: WireLimits.pinSize)
            case Tag.newPIN: newPIN = try WireValue.secret(bytes, field.range, limit: WireLimits.pinSize)
            case Tag.items: items = try WireValue.count(bytes, field.range)
            case Tag.finalTry: finalTry = try WireValue.flag(bytes, field.range)
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        // Both PINs or neither.
        guard let items, let finalTry, (securityOfficerPIN == nil) == (newPIN == nil) else {
            throw WireError(at: bytes.byteCount, .missingField)
        }
        guard let officer = securityOfficerPIN.take(), let newPIN = newPIN.take() else {
            self.init(nil, items: items, finalTry: finalTry)
            return
        }
        self.init(PINs(securityOfficerPIN: officer, newPIN: newPIN), items: items, finalTry: finalTry)
    }
}
