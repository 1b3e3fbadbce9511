// SPDX-License-Identifier: Apache-2.0

// Public halves: PKCS #11 v3.1 §6.1.2, §6.3.3.

extension Session {
    /// The numbers of an RSA key's public half, big-endian, without leading zeros; nil if the object does not have them.
    ///
    /// Private keys have them on every module that is known.
    package func rsaNumbers(
        of key: ObjectHandle
    ) throws(PKCS11Error) -> (modulus: [UInt8], exponent: [UInt8])? {
        guard let modulus = try bytes(of: key, .modulus), let exponent = try bytes(of: key, .publicExponent) else {
            return nil
        }
        return (Array(modulus.drop { $0 == 0 }), Array(exponent.drop { $0 == 0 }))
    }

    /// The uncompressed point of a P-256 key's public half, 65 bytes; nil if the object does not have it.
    ///
    /// Private keys often have none: read it when the pair is made.
    ///
    /// - Throws: also `.malformed` for a point that is in no known form.
    package func p256Point(of key: ObjectHandle) throws(PKCS11Error) -> [UInt8]? {
        guard let attribute = try bytes(of: key, .ecPoint), !attribute.isEmpty else { return nil }
        guard let point = P256Point.raw(attribute) else {
            throw box.line.error(.malformed("a point of \(attribute.count) bytes, which P-256 does not have"))
        }
        return point
    }
}
