// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// The user PIN and the one that takes its place.
package struct ChangePINRequest: ~Copyable, Sendable {
    enum Tag {
        static let pin: UInt8 = 1
        static let newPIN: UInt8 = 2
        static let finalTry: UInt8 = 3
    }

    package let pin: SecretBytes
    package let newPIN: SecretBytes
    /// Whether the old one may be tried if one try is left.
    package let finalTry: Bool

    package init(pin: consuming SecretBytes, newPIN: consuming SecretBytes, finalTry: Bool) {
        self.pin = pin
        self.newPIN = newPIN
        self.finalTry = finalTry
    }

    borrowing func encode<Sink: WireSink>(_ sink: inout Sink) {
        pin.withBytes { sink.field(Tag.pin, $0) }
        newPIN.withBytes { sink.field(Tag.newPIN, $0) }
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
        guard let pin = pin.take(), let newPIN = newPIN.take(), let finalTry else {
            throw WireError(at: bytes.byteCount, .missingField)
        }
        self.init(pin: pin, newPIN: newPIN, finalTry: finalTry)
    }
}
