// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// A PIN on its way to the token.
package struct UnlockRequest: ~Copyable, Sendable {
    enum Tag {
        static let pin: UInt8 = 1
        static let finalTry: UInt8 = 2
    }

    /// Nil: a person enters it on the device.
    package let pin: SecretBytes?
    /// Whether it may be tried if one try is left.
    package let finalTry: Bool

    package init(pin: consuming SecretBytes?, finalTry: Bool) {
        self.pin = pin
        self.finalTry = finalTry
    }

    borrowing func encode<Sink: WireSink>(_ sink: inout Sink) {
        switch pin {
        case .some(let pin): pin.withBytes { sink.field(Tag.pin, $0) }
        case .none: break
        }
        sink.field(Tag.finalTry, finalTry)
    }

    init(_ bytes: RawSpan) throws(WireError) {
        var cursor = WireCursor(bytes)
        var pin: SecretBytes?
        var finalTry: Bool?
        while let field = try cursor.field(bytes) {
            switch field.tag {
            case Tag.pin: pin = try WireValue.secret(bytes, field.range, limit: WireLimits.pinSize)
            case Tag.finalTry: finalTry = try WireValue.flag(bytes, field.range)
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        guard let finalTry else { throw WireError(at: bytes.byteCount, .missingField) }
        self.init(pin: pin, finalTry: finalTry)
    }
}
