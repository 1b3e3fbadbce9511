// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// The user PIN and the one that takes its place.
package struct ChangePINRequest: ~Copyable, Sendable {
    enum Tag {
        static let pin: UInt8 = 1
        static let newPIN: UInt8 = 2
        static let finalTry: UInt8 = 3
    }

    /// The two PINs.
    package struct PINs: ~Copyable, Sendable {
        package let pin: SecretBytes
        package let newPIN: SecretBytes

        package init(pin: consuming SecretBytes, newPIN: consuming SecretBytes) {
            self.pin = pin
            self.newPIN = newPIN
        }
    }

    /// Nil: a person enters both on the device.
    package let pins: PINs?
    /// Whether the old one may be tried if one try is left.
    package let finalTry: Bool

    package init(_ pins: consuming PINs?, finalTry: Bool) {
        self.pins = pins
        self.finalTry = finalTry
    }

    borrowing func encode<Sink: WireSink>(_ sink: inout Sink) {
        switch pins {
        case .some(let pins):
            pins.pin.withBytes { sink.field(Tag.pin, $0) }
            pins.newPIN.withBytes { sink.field(Tag.newPIN, $0) }
        case .none: break
        }
        sink.field(Tag.finalTry, finalTry)
    }

    init(_ bytes: RawSpan) throws(WireError) {
        var cursor = WireCursor(bytes)
        var pin: SecretBytes?
        var newPIN: SecretBytes?
        var finalTry: Bool?
        while let field = try cursor.field(bytes) {
            switch field.tag {
            case Tag.pin: pin = try WireValue.secret(bytes, field.range, limit: WireLimits.pinSize)
            case Tag.newPIN: newPIN = try WireValue.secret(bytes, field.range, limit: WireLimits.pinSize)
            case Tag.finalTry: finalTry = try WireValue.flag(bytes, field.range)
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        // Both PINs or neither.
        guard let finalTry, (pin == nil) == (newPIN == nil) else {
            throw WireError(at: bytes.byteCount, .missingField)
        }
        guard let pin = pin.take(), let newPIN = newPIN.take() else {
            self.init(nil, finalTry: finalTry)
            return
        }
        self.init(PINs(pin: pin, newPIN: newPIN), finalTry: finalTry)
    }
}
