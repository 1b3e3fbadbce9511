// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobLibcrypto

/// The public key in a certificate, of a kind that can be sealed to.
///
/// Nothing else of the certificate is looked at: who
/// has the private half proves it by opening.
package enum CertifiedKey: Hashable, Sendable {
    case rsa(RSAPublicKey)
    case p256(P256PublicKey)

    /// Reads an X.509 certificate in DER (RFC 5280 §4.1); nil if it is none, or its key is of another kind.
    ///
    /// - Throws: `.library` if libcrypto fails otherwise.
    package init?(certificate: [UInt8]) throws(LibcryptoError) {
        LibcryptoError.forgetOthers()
        // What cannot be read is no fault of libcrypto's, and leaves an error in its queue.
        defer { LibcryptoError.forgetOthers() }
        let read = unsafe certificate.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe d2i_X509(nil, &start, buffer.count)
        }
        guard let read = unsafe read else { return nil }
        defer { unsafe X509_free(read) }
        guard let key = unsafe X509_get0_pubkey(read) else { return nil }
        if unsafe EVP_PKEY_is_a(key, "RSA") == 1 {
            guard let modulus = unsafe Self.number(key, "n"), let exponent = unsafe Self.number(key, "e") else {
                return nil
            }
            self = .rsa(RSAPublicKey(modulus: modulus, exponent: exponent))
            return
        }
        guard unsafe EVP_PKEY_is_a(key, "EC") == 1 else { return nil }
        var point = [UInt8](repeating: 0, count: P256PublicKey.pointSize)
        var count = 0
        guard unsafe EVP_PKEY_get_octet_string_param(key, "encoded-pub-key", &point, point.count, &count) == 1,
            count == point.count, let found = try P256PublicKey(point: point)
        else { return nil }
        self = .p256(found)
    }

    /// Big-endian, without zeros at its start.
    private static func number(_ key: OpaquePointer, _ name: String) -> [UInt8]? {
        var number: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(key, name, &number) == 1, let number = unsafe number else { return nil }
        defer { unsafe BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: Int(unsafe BN_num_bits(number) + 7) / 8)
        guard unsafe BN_bn2bin(number, &bytes) == bytes.count else { return nil }
        return bytes
    }
}
