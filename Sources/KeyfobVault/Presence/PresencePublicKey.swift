// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPKCS11

/// The public half of a presence key: seals presence secrets in the process.
///
/// ```
///   suite 1 | generation 4 | length of the exponent 2 | exponent | modulus
/// ```
/// It is kept sealed, not because it were secret, but so that nobody who can write to the store puts in a key of theirs.
struct PresencePublicKey: Hashable, Sendable {
    let suite: PresenceSuite
    let generation: UInt32
    let key: RSAPublicKey

    init(suite: PresenceSuite, generation: UInt32, key: RSAPublicKey) {
        self.suite = suite
        self.generation = generation
        self.key = key
    }

    var encoded: [UInt8] { [suite.rawValue] + BigEndian.bytes(generation) + key.encoded }

    /// Nil for bytes that are no encoding.
    init?(encoded bytes: [UInt8]) {
        guard bytes.count > 5, let suite = PresenceSuite(rawValue: bytes[0]),
            let key = RSAPublicKey(encoded: bytes[5...])
        else { return nil }
        self.init(suite: suite, generation: BigEndian.number(bytes[1..<5]), key: key)
    }

    func seal(_ secret: borrowing SecretBytes) throws(LibcryptoError) -> [UInt8] { try key.seal(secret, suite.hash) }
}

extension PresenceSuite {
    var hash: RSAPublicKey.OAEPHash {
        switch self {
        case .rsaOAEPSHA1: .sha1
        case .rsaOAEPSHA256: .sha256
        }
    }

    var mechanism: Mechanism {
        switch self {
        case .rsaOAEPSHA1: .rsaOAEP(.sha1)
        case .rsaOAEPSHA256: .rsaOAEP(.sha256)
        }
    }
}

/// Numbers as blobs hold them.
enum BigEndian {
    static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}
