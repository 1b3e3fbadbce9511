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

/// How a class key seals (docs/store-format.md, Suites).
///
/// New suites get new numbers.
package enum Suite: UInt8, Hashable, Sendable {
    /// AES-256-GCM on the token with a random 96-bit IV.
    case aesGCM = 1

    /// What `status` prints.
    package var name: String {
        switch self {
        case .aesGCM: "aes-gcm"
        }
    }
}

/// Where a class key lives while it works (docs/adr/0004).
package enum Residence: UInt8, Hashable, Sendable {
    /// A token object, used through a session copy that dies with the login.
    case tokenPrivate = 1
    /// A token object that needs no login.
    case tokenPublic = 2
    /// Kept wrapped in the store; unwrapped on the token at the first unlock into a public session object.
    case unwrappedSession = 3
    /// A private token object, copied at the first unlock into a public session object.
    case copiedSession = 4

    /// What `status` prints.
    package var name: String {
        switch self {
        case .tokenPrivate: "token, while logged in"
        case .tokenPublic: "token, no login needed"
        case .unwrappedSession: "session, unwrapped"
        case .copiedSession: "session, copied"
        }
    }
}
