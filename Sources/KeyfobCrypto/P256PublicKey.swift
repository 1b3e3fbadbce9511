// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// The public half of a key pair on the curve P-256 (NIST SP 800-186 §3.2.1.3), for sharing a secret with who has the
/// private half (ECDH, NIST SP 800-56A §5.7.1.2).
///
/// A value of this type is a point of the curve: bytes that are none make none. Calls block for computing only and may
/// come from any thread.
package struct P256PublicKey: Hashable, Sendable {
    /// Bytes of an uncompressed point: `4 | x 32 | y 32` (SEC 1 §2.3.3).
    package static let pointSize = 65
    /// Bytes of a shared secret.
    package static let secretSize = 32
    /// The first byte of an uncompressed point.
    static let uncompressed: UInt8 = 4

    /// The 65 bytes of the uncompressed point.
    package let point: [UInt8]

    /// Nil unless there are 65 bytes, the first is 4, and libcrypto finds the rest to be a point of the curve.
    ///
    /// - Throws: `.library` if libcrypto fails otherwise.
    package init?(point: [UInt8]) throws(LibcryptoError) {
        guard point.count == Self.pointSize, point[0] == Self.uncompressed else { return nil }
        guard try ECKey.publicKey(point) != nil else { return nil }
        self.point = point
    }

    /// The point of a key that libcrypto made.
    init(of key: borrowing ECKey) throws(LibcryptoError) {
        point = try key.encodedPoint()
    }

    /// A secret that only the holder of the private half can compute from the public point that comes with it.
    ///
    /// Makes a key pair for this one call; its private half is on libcrypto's heap meanwhile, and wiped at the end.
    ///
    /// - Throws: `.library`, `.memory`.
    package func share() throws(LibcryptoError) -> P256Share {
        let ephemeral = try P256KeyPair()
        let secret = try ephemeral.sharedSecret(with: self)
        return P256Share(point: ephemeral.publicKey.point, secret: secret)
    }

    /// The key as libcrypto has it.
    func makeKey() throws(LibcryptoError) -> ECKey {
        guard let key = try ECKey.publicKey(point) else {
            throw LibcryptoError(call: "EVP_PKEY_fromdata", fault: .library)
        }
        return key
    }
}

/// A shared secret and what its other holder needs to compute it.
package struct P256Share: ~Copyable {
    /// The uncompressed point of the key pair that was made for it, 65 bytes.
    package let point: [UInt8]
    /// The x coordinate of the shared point, 32 bytes: not yet a key, derive one.
    package let secret: SecretBytes
}

/// A key pair on P-256, whose private half lies on libcrypto's heap and is wiped when this goes.
package struct P256KeyPair: ~Copyable {
    /// The public half.
    package let publicKey: P256PublicKey
    private let key: ECKey

    /// A fresh pair.
    ///
    /// - Throws: `.library`.
    package init() throws(LibcryptoError) {
        let made = try ECKey.generate()
        publicKey = try P256PublicKey(of: made)
        key = made
    }

    /// A pair that was written down.
    ///
    /// - Parameter scalar: the private number, 32 bytes, big-endian.
    /// - Throws: `.library`, `.memory`.
    init(scalar: borrowing SecretBytes, publicKey: P256PublicKey) throws(LibcryptoError) {
        key = try ECKey.pair(scalar, publicKey.point)
        self.publicKey = publicKey
    }

    /// What this pair and the holder of the other private half share.
    ///
    /// - Throws: `.library`, `.memory`.
    package func sharedSecret(with peer: P256PublicKey) throws(LibcryptoError) -> SecretBytes {
        try key.agree(with: peer.makeKey())
    }
}
