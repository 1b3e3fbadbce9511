// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobLibcrypto
package import KeyfobMemory

/// The public half of an RSA key, for sealing what only the private half opens.
package struct RSAPublicKey: Hashable, Sendable {
    /// The hash of RSA-OAEP and of its mask function.
    package enum OAEPHash: Hashable, Sendable {
        case sha1
        case sha256
    }

    /// Big-endian, as a token tells it.
    package let modulus: [UInt8]
    /// Big-endian.
    package let exponent: [UInt8]

    package init(modulus: [UInt8], exponent: [UInt8]) {
        self.modulus = modulus
        self.exponent = exponent
    }

    /// The secret, sealed by RSA-OAEP (RFC 8017 §7.1) without a label; as long as the modulus.
    ///
    /// - Throws: `.library` if the numbers are no key or the secret is too long for it, `.memory`.
    package func seal(_ secret: borrowing SecretBytes, _ hash: OAEPHash) throws(LibcryptoError) -> [UInt8] {
        LibcryptoError.forgetOthers()
        let key = unsafe try makeKey()
        defer { unsafe EVP_PKEY_free(key) }
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
            throw .drained("EVP_PKEY_CTX_new_from_pkey")
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var parameters = LibcryptoParameters()
        parameters.add("pad-mode", text: "oaep")
        let name: StaticString =
            switch hash {
            case .sha1: "SHA1"
            case .sha256: "SHA256"
            }
        parameters.add("digest", text: name)
        parameters.add("mgf1-digest", text: name)
        guard unsafe EVP_PKEY_encrypt_init_ex(context, parameters.ended) == 1 else {
            throw .drained("EVP_PKEY_encrypt_init_ex")
        }
        var sealed = [UInt8](repeating: 0, count: modulus.count)
        var count = sealed.count
        let done = unsafe secret.withUnsafeBytes { secret in
            unsafe EVP_PKEY_encrypt(
                context, &sealed, &count, secret.bindMemory(to: UInt8.self).baseAddress, secret.count)
        }
        guard done == 1, count == sealed.count else { throw .drained("EVP_PKEY_encrypt") }
        return sealed
    }

    private func makeKey() throws(LibcryptoError) -> OpaquePointer {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else {
            throw .drained("EVP_PKEY_CTX_new_from_name")
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_fromdata_init(context) == 1 else { throw .drained("EVP_PKEY_fromdata_init") }
        var modulus = Self.native(modulus)
        var exponent = Self.native(exponent)
        var key: OpaquePointer?
        // OSSL_KEYMGMT_SELECT_ALL_PARAMETERS and _PUBLIC_KEY: EVP_PKEY_PUBLIC_KEY, a macro.
        let publicKey: Int32 = 0x86
        let done = unsafe modulus.withUnsafeMutableBufferPointer { modulus in
            unsafe exponent.withUnsafeMutableBufferPointer { exponent in
                var parameters = LibcryptoParameters()
                unsafe parameters.add("n", large: modulus)
                unsafe parameters.add("e", large: exponent)
                var list = unsafe parameters.ended
                return unsafe EVP_PKEY_fromdata(context, &key, publicKey, &list)
            }
        }
        guard done == 1, let key = unsafe key else { throw .drained("EVP_PKEY_fromdata") }
        return unsafe key
    }

    private static func native(_ bigEndian: [UInt8]) -> [UInt8] {
        1.littleEndian == 1 ? bigEndian.reversed() : bigEndian
    }
}
