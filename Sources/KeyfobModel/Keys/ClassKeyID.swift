// SPDX-License-Identifier: Apache-2.0

/// Names one class key of a keychain: an accessibility class and a generation that rotation counts up from 1.
package struct ClassKeyID: Hashable, Sendable {
    package let accessibility: Accessibility
    package let generation: UInt32

    package init(_ accessibility: Accessibility, generation: UInt32) {
        self.accessibility = accessibility
        self.generation = generation
    }

    /// Five bytes: the class, then the generation big-endian; as sealed blobs and associated data carry it.
    package var encoded: [UInt8] {
        [accessibility.rawValue] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: generation >> $0) }
    }
}

/// How a class key seals (docs/suites.md).
///
/// New suites get new numbers.
package enum Suite: UInt8, Hashable, Sendable, CaseIterable {
    /// AES-256-GCM with a random 96-bit IV: on the token, or in the process under a key that the host holds.
    case aesGCM = 1
    /// AES-256-CBC and HMAC-SHA-256 over the ciphertext, both on the token.
    case cbcHMAC = 2
    /// The token's HMAC-SHA-256 of a random salt is the seed of the key that seals in the process.
    case hmacKDF = 3
    /// A seed sealed by RSA-OAEP with SHA-1, opened on the token.
    case rsaOAEP = 4
    /// The same with SHA-256.
    case rsaOAEPSHA256 = 5
    /// A seed agreed upon over P-256, on the token by ECDH.
    case ecdhP256 = 6

    /// What `status` prints.
    package var name: String {
        switch self {
        case .aesGCM: "aes-gcm"
        case .cbcHMAC: "aes-cbc-hmac"
        case .hmacKDF: "hmac-kdf"
        case .rsaOAEP: "rsa-oaep"
        case .rsaOAEPSHA256: "rsa-oaep-sha256"
        case .ecdhP256: "ecdh-p256"
        }
    }

    /// Whether its key on the token is a pair, whose public half seals without the token.
    package var isAsymmetric: Bool {
        switch self {
        case .aesGCM, .cbcHMAC, .hmacKDF: false
        case .rsaOAEP, .rsaOAEPSHA256, .ecdhP256: true
        }
    }
}

/// Where a class key lives while it works (docs/adr/0004).
package enum Residence: UInt8, Hashable, Sendable, CaseIterable {
    /// A token object, used while the token is logged in.
    case tokenPrivate = 1
    /// A token object that needs no login.
    case tokenPublic = 2
    /// Kept wrapped in the store; unwrapped on the token at the first unlock into a public session object.
    case unwrappedSession = 3
    /// A private token object, copied at the first unlock into a public session object.
    case copiedSession = 4
    /// Kept sealed under a private token object; opened at the first unlock into the process's locked memory, or at each
    /// unlock if the class's promise ends with the lock.
    case hostHeld = 5

    /// What `status` prints.
    ///
    /// - Parameter accessibility: whose class key it is.
    package func name(of accessibility: Accessibility) -> String {
        switch self {
        case .tokenPrivate: "token, while logged in"
        case .tokenPublic: "token, no login needed"
        case .unwrappedSession: "session, unwrapped"
        case .copiedSession: "session, copied"
        case .hostHeld where accessibility.availability == .whileUnlocked: "host memory, while unlocked"
        case .hostHeld: "host memory, from the first unlock"
        }
    }
}
