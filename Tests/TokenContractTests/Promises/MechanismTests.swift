// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

extension TokenContract {
    /// What a token does with its keys: by doing, not by its list.
    @Suite struct MechanismTests {
        private static let plain: [UInt8] = (0..<48).map { UInt8($0) }

        /// Whether a mechanism opens what it sealed, and not as it was.
        private func seals(_ mechanism: Mechanism, _ shape: KeyShape) throws -> Bool {
            try Bench.loggedIn { token in
                try Bench.does {
                    try MadeKey.with(shape, on: token) { session, key, _ in
                        let sealed = unsafe try session.encrypt(mechanism, key: key, Self.plain.span.bytes)
                        #expect(sealed.count >= Self.plain.count)
                        #expect(!sealed.starts(with: Self.plain))
                        let opened = unsafe try session.decrypt(mechanism, key: key, sealed.span.bytes)
                        #expect(opened.withBytes { $0.array } == Self.plain)
                    }
                }
            }
        }

        @Test func `AES-GCM opens what it sealed`() throws {
            let iv = (0..<12).map { _ in UInt8.random(in: 0 ... .max) }
            keep(.gcm, Answer(try seals(.aesGCM(iv: iv, aad: [1, 2]), .aes)))
        }

        @Test func `AES-GCM opens nothing that was changed`() throws {
            guard TokenPromises.expected(.gcm) == .yes else { return }
            try Bench.loggedIn { token in
                try MadeKey.with(.aes, on: token) { session, key, _ in
                    let iv = (0..<12).map { _ in UInt8.random(in: 0 ... .max) }
                    var sealed = unsafe try session.encrypt(
                        .aesGCM(iv: iv, aad: [1]), key: key, Self.plain.span.bytes)
                    sealed[0] ^= 1
                    // A session of its own: one that failed may be spoiled.
                    let other = try token.openSession(readWrite: false)
                    let failed = Bench.failure {
                        _ = unsafe try other.decrypt(.aesGCM(iv: iv, aad: [1]), key: key, sealed.span.bytes)
                    }
                    #expect(failed?.function == "C_Decrypt")
                }
            }
        }

        @Test func `AES-CBC opens what it sealed`() throws {
            let iv = (0..<16).map { _ in UInt8.random(in: 0 ... .max) }
            keep(.cbc, Answer(try seals(.aesCBC(iv: iv), .aes)))
        }

        @Test func `HMAC-SHA-256 is the same each time, and another for other data`() throws {
            let does = try Bench.loggedIn { token in
                try Bench.does {
                    try MadeKey.with(.generic, on: token) { session, key, _ in
                        let mac = { (data: [UInt8], session: borrowing Session) throws in
                            let mac = unsafe try session.sign(.sha256HMAC, key: key, data.span.bytes)
                            return mac.withBytes { $0.array }
                        }
                        let first = try mac([1, 2, 3], session)
                        #expect(first.count == 32)
                        #expect(try mac([1, 2, 3], session) == first)
                        #expect(try mac([1, 2, 4], session) != first)
                    }
                }
            }
            keep(.hmac, Answer(does))
        }

        /// Whether the token opens what was sealed under its public half in the host.
        private func opens(_ hash: Mechanism.OAEPHash, _ hostHash: RSAPublicKey.OAEPHash) throws -> Bool {
            try Bench.loggedIn { token in
                try Bench.does {
                    try MadeKey.withRSA(on: token) { session, key, _, publicKey in
                        let sealed = try publicKey.seal(try SecretBytes(copying: Array(Self.plain[..<32])), hostHash)
                        let opened = unsafe try session.decrypt(.rsaOAEP(hash), key: key, sealed.span.bytes)
                        #expect(opened.withBytes { $0.array } == Array(Self.plain[..<32]))
                    }
                }
            }
        }

        @Test func `RSA-OAEP with SHA-1 opens what the host sealed`() throws {
            keep(.oaepSHA1, Answer(try opens(.sha1, .sha1)))
        }

        @Test func `RSA-OAEP with SHA-256 opens what the host sealed`() throws {
            keep(.oaepSHA256, Answer(try opens(.sha256, .sha256)))
        }

        /// Whether the token derives what the host shared with its public half.
        private func derives(_ form: ([UInt8]) -> [UInt8]) throws -> Bool {
            try Bench.loggedIn { token in
                try Bench.does(or: .dataInvalid) {
                    try MadeKey.withEC(on: token) { session, key, publicKey in
                        let share = try publicKey.share()
                        let secret = try session.derivedSecret(
                            .ecdh1Derive(point: form(share.point)), base: key, .derived(),
                            size: P256PublicKey.secretSize)
                        #expect(secret.withBytes { $0.array } == share.secret.withBytes { $0.array })
                    }
                }
            }
        }

        @Test func `ECDH gives the secret that the host shared, by its raw point`() throws {
            keep(.ecdh, Answer(try derives { $0 }))
        }

        @Test func `ECDH gives the secret that the host shared, by its point in DER`() throws {
            keep(.derPoint, Answer(try derives { P256Point.der($0) }))
        }
    }
}
