// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobLibcrypto

/// The unkeyed hash functions that Keyfob needs (FIPS 180-4).
package enum HashFunction: Hashable, Sendable, CaseIterable {
    /// For what Apple or X.509 defines by it, never to protect anything.
    case sha1
    case sha256
    case sha384
    case sha512

    /// Bytes of a digest.
    package var size: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The digest of bytes that are no secret.
    ///
    /// - Throws: `.library` if this build of libcrypto does not offer the function.
    package func digest(_ bytes: RawSpan) throws(LibcryptoError) -> [UInt8] {
        LibcryptoError.forgetOthers()
        var written: Int = 0
        var done: Int32 = 0
        let digest = unsafe [UInt8](unsafeUninitializedCapacity: 64) { output, count in
            done = unsafe bytes.withUnsafeBytes { bytes in
                unsafe EVP_Q_digest(nil, name, nil, bytes.baseAddress, bytes.count, output.baseAddress, &written)
            }
            count = done == 1 ? written : 0
        }
        guard done == 1, written == size else { throw .drained("EVP_Q_digest") }
        return digest
    }

    private var name: String {
        switch self {
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        case .sha384: "SHA384"
        case .sha512: "SHA512"
        }
    }
}
