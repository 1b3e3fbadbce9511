// SPDX-License-Identifier: Apache-2.0

/// What the store keeps of a class key for its residence and suite; nothing in it is secret without the token.
///
/// ```
///   parts, one after the other:  kind 1 | length 2 (big-endian) | bytes
///     1  the key's object, wrapped on the token by AES (RFC 5649); one part for each object of the suite, in its order
///     2  the same, wrapped by RSA-OAEP
///     3  a key that the host holds, sealed by the class's object on the token
///     4  the public half of the object's pair
///     5  the CKA_ID of an object that was on the token before the keychain
/// ```
package struct KeyMaterial: Hashable, Sendable {
    /// The class key's objects as the token wrapped them.
    package var wrapped: [WrappedKey] = []
    /// The host's key, sealed.
    package var held: [UInt8]?
    /// The public half, as the suite writes it.
    package var publicHalf: [UInt8]?
    /// Which object of the token it is, if not the one with the class key's own name.
    package var objectID: [UInt8]?

    package init() {}

    private enum Part: UInt8 {
        case wrappedByAES = 1
        case wrappedByRSA = 2
        case held = 3
        case publicHalf = 4
        case objectID = 5
    }

    /// The bytes for the store; nil if there is nothing to keep.
    package var encoded: [UInt8]? {
        var bytes: [UInt8] = []
        func add(_ part: Part, _ value: [UInt8]) {
            bytes += [part.rawValue, UInt8(value.count >> 8), UInt8(value.count & 255)] + value
        }
        for key in wrapped { add(key.wrap == .aes ? .wrappedByAES : .wrappedByRSA, key.bytes) }
        if let held { add(.held, held) }
        if let publicHalf { add(.publicHalf, publicHalf) }
        if let objectID { add(.objectID, objectID) }
        return bytes.isEmpty ? nil : bytes
    }

    /// Nil for bytes that are no encoding.
    package init?(encoded bytes: [UInt8]?) {
        var rest = (bytes ?? [])[...]
        while !rest.isEmpty {
            guard rest.count >= 3, let part = Part(rawValue: rest[rest.startIndex]) else { return nil }
            let count = Int(rest[rest.startIndex + 1]) << 8 | Int(rest[rest.startIndex + 2])
            rest = rest.dropFirst(3)
            guard rest.count >= count else { return nil }
            let value = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
            switch part {
            case .wrappedByAES: wrapped.append(WrappedKey(.aes, value))
            case .wrappedByRSA: wrapped.append(WrappedKey(.rsa, value))
            case .held: held = value
            case .publicHalf: publicHalf = value
            case .objectID: objectID = value
            }
        }
    }
}

/// A key object as `C_WrapKey` gave it.
package struct WrappedKey: Hashable, Sendable {
    /// What the wrapping key of the keychain is.
    package enum Wrap: Hashable, Sendable {
        /// An AES key, by `CKM_AES_KEY_WRAP_PAD`.
        case aes
        /// An RSA pair, by `CKM_RSA_PKCS_OAEP` with SHA-1: for tokens that wrap with nothing else.
        case rsa
    }

    package let wrap: Wrap
    package let bytes: [UInt8]

    package init(_ wrap: Wrap, _ bytes: [UInt8]) {
        self.wrap = wrap
        self.bytes = bytes
    }
}
