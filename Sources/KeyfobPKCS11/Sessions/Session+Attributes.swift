// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit
package import KeyfobMemory

// Attributes: PKCS #11 v3.1 §5.7.5, §5.7.6.

extension Session {
    /// The bytes of an attribute; nil if the object has none of that type, or hides it as sensitive.
    ///
    /// Not for secrets, which are read by `secret(of:_:atMost:)`.
    package func bytes(of object: ObjectHandle, _ type: AttributeType) throws(PKCS11Error) -> [UInt8]? {
        // The length is asked first, and may have changed by the time the bytes are.
        for _ in 0..<4 {
            guard let length = try length(of: object, type) else { return nil }
            var buffer = [UInt8](repeating: 0, count: length + 8)
            let (value, count) = read(object, type, into: &buffer)
            if value == .bufferTooSmall { continue }
            if Self.saysNone(value) { return nil }
            guard value == .ok else { throw failure(value) }
            guard count <= buffer.count else { continue }
            return Array(buffer[..<count])
        }
        throw box.line.error(.malformed("an attribute never settles on a length"))
    }

    /// A `CK_BBOOL` attribute; nil if the object has none of that type.
    package func bool(of object: ObjectHandle, _ type: AttributeType) throws(PKCS11Error) -> Bool? {
        guard let bytes = try bytes(of: object, type) else { return nil }
        guard bytes.count == 1 else { throw box.line.error(.malformed("a boolean attribute of \(bytes.count) bytes")) }
        return bytes[0] != 0
    }

    /// A `CK_ULONG` attribute; nil if the object has none of that type.
    ///
    /// The buffer has the size of the number and no byte more: NSS refuses a longer one for objects of its database.
    package func ulong(of object: ObjectHandle, _ type: AttributeType) throws(PKCS11Error) -> UInt? {
        var number: UInt = 0
        let (value, length) = unsafe withUnsafeMutableBytes(of: &number) { buffer in
            unsafe get(
                object,
                CK_ATTRIBUTE(type: type.rawValue, pValue: buffer.baseAddress, ulValueLen: UInt(buffer.count)))
        }
        if Self.saysNone(value) { return nil }
        guard value == .ok || value == .bufferTooSmall else { throw failure(value) }
        // CK_UNAVAILABLE_INFORMATION
        if value == .ok, length == .max { return nil }
        guard value == .ok, length == UInt(MemoryLayout<UInt>.size) else {
            throw box.line.error(.malformed("an attribute that is no number"))
        }
        return number
    }

    /// The bytes of a secret attribute, such as the `CKA_VALUE` of a derived key; nil if the object has none of that
    /// type, or hides it as sensitive.
    ///
    /// One call: no length is asked beforehand.
    ///
    /// - Parameter size: how many bytes it has at most.
    /// - Throws: also `.memory`.
    package func secret(
        of object: ObjectHandle, _ type: AttributeType, atMost size: Int
    ) throws(PKCS11Error) -> SecretBytes? {
        var secret: SecretBytes
        // A length that claims all of the room was not set by the module.
        do { secret = try SecretBytes(count: size + 8) } catch { throw box.line.error(.memory(error)) }
        let (value, length) = unsafe secret.withUnsafeMutableBytes { buffer in
            unsafe get(
                object,
                CK_ATTRIBUTE(type: type.rawValue, pValue: buffer.baseAddress, ulValueLen: UInt(buffer.count)))
        }
        if Self.saysNone(value) { return nil }
        guard value == .ok else { throw failure(value) }
        // CK_UNAVAILABLE_INFORMATION
        if length == .max { return nil }
        guard length <= size else { throw box.line.error(.malformed("a secret attribute of \(length) bytes")) }
        secret.truncate(to: Int(length))
        return secret
    }

    /// Changes attributes (`C_SetAttributeValue`).
    package func setAttributes(of object: ObjectHandle, _ template: Template) throws(PKCS11Error) {
        try unsafe box.check(.setAttributeValue) { list in
            unsafe template.withAttributes {
                unsafe list.pointee.C_SetAttributeValue?(box.handle, box.number(of: object), $0, $1)
            }
        }
    }

    private func length(of object: ObjectHandle, _ type: AttributeType) throws(PKCS11Error) -> Int? {
        let (value, length) = unsafe get(object, CK_ATTRIBUTE(type: type.rawValue, pValue: nil, ulValueLen: 0))
        if Self.saysNone(value) { return nil }
        guard value == .ok else { throw failure(value) }
        // CK_UNAVAILABLE_INFORMATION
        if length == .max { return nil }
        guard length <= 1 << 20 else { throw box.line.error(.malformed("an attribute of \(length) bytes")) }
        return Int(length)
    }

    private func read(
        _ object: ObjectHandle, _ type: AttributeType, into buffer: inout [UInt8]
    ) -> (ReturnValue, Int) {
        let (value, length) = unsafe buffer.withUnsafeMutableBytes { buffer in
            unsafe get(
                object,
                CK_ATTRIBUTE(
                    type: type.rawValue, pValue: buffer.baseAddress, ulValueLen: UInt(buffer.count)))
        }
        return (value, Int(clamping: length))
    }

    private func get(_ object: ObjectHandle, _ attribute: CK_ATTRIBUTE) -> (ReturnValue, UInt) {
        var attribute = unsafe attribute
        let value = unsafe box.line.call(.getAttributeValue, of: box.generation) {
            unsafe $0.pointee.C_GetAttributeValue?(box.handle, box.number(of: object), &attribute, 1)
        }
        return unsafe (value, attribute.ulValueLen)
    }

    /// Reading is not an operation that stays armed, so `CKR_BUFFER_TOO_SMALL` is no fault of the session here.
    private func failure(_ value: ReturnValue) -> PKCS11Error {
        if value != .bufferTooSmall { box.note(value) }
        return box.line.error(.getAttributeValue, value)
    }

    private static func saysNone(_ value: ReturnValue) -> Bool {
        value == .attributeTypeInvalid || value == .attributeSensitive
    }
}
