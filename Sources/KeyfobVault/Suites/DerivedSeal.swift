// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory

/// What the host does in the suites whose token gives it a seed: HKDF-SHA-256 makes a key and a nonce of the seed, and
/// AES-256-GCM seals with them.
///
/// ```
///   ciphertext (as long as the secret) | tag 16
/// ```
/// Every seal has a seed of its own, so no key meets a second nonce or text. Seed and key live for one call.
struct DerivedSeal: ~Copyable {
    /// Bytes that a sealed secret is longer by.
    static let overhead = AESGCM.tagSize
    /// Bytes of a secret: what a class key seals are keys.
    static let secretSizes = 32...64

    private let key: SecretBytes
    private let nonce: [UInt8]

    /// - Parameter info: tells suites and seals apart.
    init(_ seed: borrowing SecretBytes, info: [UInt8]) throws(LibcryptoError) {
        var derived = try KeyDerivation.hkdf(seed, info: info, count: AESGCM.keySize + AESGCM.nonceSize)
        nonce = derived.withBytes { unsafe $0.extracting(AESGCM.keySize...).withUnsafeBytes { unsafe Array($0) } }
        derived.truncate(to: AESGCM.keySize)
        key = derived
    }

    /// Writes the sealed form of the secret into `blob` at `offset`.
    func seal(
        _ secret: borrowing SecretBytes, _ associatedData: [UInt8], into blob: inout [UInt8], at offset: Int
    ) throws(LibcryptoError) {
        precondition(Self.secretSizes.contains(secret.count), "class keys seal keys of 32 to 64 bytes")
        let end = offset + secret.count + Self.overhead
        try secret.withBytes { (secret) throws(LibcryptoError) in
            var bytes = blob.mutableSpan
            unsafe try bytes.withUnsafeMutableBytes { (buffer) throws(LibcryptoError) in
                unsafe try AESGCM.seal(
                    secret, key: key, nonce: nonce.span.bytes, aad: associatedData.span.bytes,
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[offset..<end]))
            }
        }
    }

    /// The secret inside a sealed form.
    ///
    /// - Throws: `.authentication` unless seed, info, associated data and every byte are what they were.
    func open(_ sealed: RawSpan, _ associatedData: [UInt8]) throws(LibcryptoError) -> SecretBytes {
        unsafe try AESGCM.open(sealed, key: key, nonce: nonce.span.bytes, aad: associatedData.span.bytes)
    }

    /// Whether a sealed form with `header` bytes before what this seals has a length that can be.
    static func fits(_ sealed: RawSpan, header: Int) -> Bool {
        secretSizes.contains(sealed.byteCount - header - overhead)
    }
}

extension RawSpan {
    /// A copy of bytes that are no secret.
    var copied: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
