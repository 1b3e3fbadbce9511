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

    package let securityOfficerPIN: SecretBytes
    package let newPIN: SecretBytes
    /// How many items the sender knows will be gone.
    package let items: Int
    /// Whether the security officer's PIN may be tried if one try is left.
    package let finalTry: Bool

    package init(
        securityOfficerPIN: consuming SecretBytes, newPIN: consuming SecretBytes, items: Int, finalTry: Bool
    ) {
        self.securityOfficerPIN = securityOfficerPIN
        self.newPIN = newPIN
        self.items = items
        self.finalTry = finalTry
    }

    borrowing func encode<Sink: WireSink>(_ sink: inout Sink) {
        securityOfficerPIN.withBytes { sink.field(Tag.securityOfficerPIN, $0) }
        newPIN.withBytes { sink.field(Tag.newPIN, $0) }
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
        guard let securityOfficerPIN = securityOfficerPIN.take(), let newPIN = newPIN.take(), let items, let finalTry
        else { throw WireError(at: bytes.byteCount, .missingField) }
        self.init(securityOfficerPIN: securityOfficerPIN, newPIN: newPIN, items: items, finalTry: finalTry)
    }
}
