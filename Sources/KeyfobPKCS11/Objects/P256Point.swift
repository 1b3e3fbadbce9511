// SPDX-License-Identifier: Apache-2.0

/// Points of the curve P-256 as tokens tell and take them (PKCS #11 v3.1 §6.3.3, SEC 1 §2.3.3).
///
/// The standard wants a point in a DER OCTET STRING, and some modules tell or take it bare. Both begin with a 4, so it is
/// the length that tells them apart:
///
/// ```
///   raw 65   4 | x 32 | y 32
///   DER 67   4 (OCTET STRING) | 65 (length) | 4 | x 32 | y 32
/// ```
package enum P256Point {
    /// Bytes of a raw point.
    package static let size = 65
    /// `CKA_EC_PARAMS`: the object identifier 1.2.840.10045.3.1.7 in DER.
    package static let parameters: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]

    private static let header: [UInt8] = [0x04, UInt8(size)]

    /// The raw point of a `CKA_EC_POINT`; nil if it is in neither form. Whether it lies on the curve is not looked at.
    package static func raw(_ attribute: [UInt8]) -> [UInt8]? {
        switch attribute.count {
        case size where attribute[0] == 4: attribute
        case size + header.count where attribute.starts(with: header) && attribute[header.count] == 4:
            Array(attribute[header.count...])
        default: nil
        }
    }

    /// A raw point in DER.
    package static func der(_ point: [UInt8]) -> [UInt8] {
        precondition(point.count == size, "a raw point has 65 bytes")
        return header + point
    }
}
