// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobCrypto
@testable import KeyfobVault

/// What is special to rsa-oaep: the token judges, and may be wrong.
///
/// SoftHSM has OAEP with SHA-1 only. What is sealed with SHA-256 is taken apart here, from what its raw RSA gives.
@Suite(.lendsTokens) struct RSASuiteTests {
    private static let secret = [UInt8](0..<32)

    private struct Pair {
        let token: Token
        let plan: FaultPlan
        let handle: ObjectHandle
        let publicKey: RSAPublicKey

        func key(_ hash: RSAPublicKey.OAEPHash) -> RSASealing {
            RSASealing(token, key: handle, publicKey: publicKey, hash)
        }
    }

    private func makePair() throws -> Pair {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().openLoggedIn(interposer: plan)
        let session = try token.openSession(readWrite: true)
        let name = KeyName(ClassKeyID(.whenUnlocked, generation: 1), of: try Vault.freshUUID(.create))
        let pair = try session.generateKeyPair(
            .rsaKeyPairGeneration, publicKey: SuiteTemplates.rsaPublicKey(name),
            privateKey: SuiteTemplates.rsaPrivateKey(name, isPrivate: true, onToken: true))
        let numbers = try #require(try session.rsaNumbers(of: pair.privateKey))
        return Pair(
            token: token, plan: plan, handle: pair.privateKey,
            publicKey: RSAPublicKey(modulus: numbers.modulus, exponent: numbers.exponent))
    }

    // MARK: - Whose fault a refusal is

    @Test func `A block that is refused once and then opens is whole`() throws {
        let pair = try makePair()
        let sealed = try pair.key(.sha1).seal(Self.secret)
        pair.plan.fail(.decrypt, with: .generalError)
        #expect(pair.key(.sha1).open(sealed) == .secret(Self.secret))
        #expect(pair.token.calls.calls(of: .decrypt) == 3)
    }

    @Test func `A changed block costs three decryptions`() throws {
        let pair = try makePair()
        var sealed = try pair.key(.sha1).seal(Self.secret)
        sealed[100] ^= 1
        #expect(pair.key(.sha1).open(sealed) == .notAuthentic)
        #expect(pair.token.calls.calls(of: .decrypt) == 3)
    }

    @Test(arguments: [ReturnValue.generalError, .functionFailed, .encryptedDataInvalid])
    func `A token that refuses whole blocks too is at fault itself`(value: ReturnValue) throws {
        let pair = try makePair()
        var sealed = try pair.key(.sha1).seal(Self.secret)
        sealed[100] ^= 1
        pair.plan.fail(.decrypt, with: value, times: 2)
        guard case .token(let error) = pair.key(.sha1).open(sealed) else {
            Issue.record("told as changed")
            return
        }
        #expect(error.returnValue == value)
        #expect(pair.token.calls.calls(of: .decrypt) == 2)
    }

    @Test func `A token that goes while it is asked about a whole block is told as gone`() throws {
        let pair = try makePair()
        var sealed = try pair.key(.sha1).seal(Self.secret)
        sealed[100] ^= 1
        pair.plan.fail(.decrypt, with: .generalError)
        pair.plan.fail(.decrypt, with: .deviceRemoved)
        guard case .token(let error) = pair.key(.sha1).open(sealed) else {
            Issue.record("told as changed")
            return
        }
        #expect(error.returnValue == .deviceRemoved)
    }

    @Test(arguments: [0, 1, 16, 31, 33, 64])
    func `A block that opens to another number of bytes is not authentic`(count: Int) throws {
        let pair = try makePair()
        let block = try pair.publicKey.seal(SecretBytes(copying: [UInt8](repeating: 7, count: count)), .sha1)
        #expect(pair.key(.sha1).open(block + [UInt8](repeating: 0, count: 48)) == .notAuthentic)
        #expect(pair.token.calls.calls(of: .decrypt) == 1)
    }

    @Test func `A block that opens to another seed, as some tokens answer garbage, is not authentic`() throws {
        let pair = try makePair()
        let sealed = try pair.key(.sha1).seal(Self.secret)
        let block = try pair.publicKey.seal(RandomBytes.secret(32), .sha1)
        #expect(pair.key(.sha1).open(block + sealed[256...]) == .notAuthentic)
    }

    @Test func `A number that is not below the modulus never reaches the token`() throws {
        let pair = try makePair()
        let rest = [UInt8](repeating: 0, count: 48)
        let modulus = pair.publicKey.modulus
        for block in [modulus, [UInt8](repeating: 255, count: 256)] {
            #expect(pair.key(.sha1).open(block + rest) == .notAuthentic)
        }
        #expect(pair.token.calls.calls(of: .decrypt) == 0)
    }

    @Test func `Another public half than the key's is found out by the proof`() throws {
        let (first, second) = (try makePair(), try makePair())
        let key = RSASealing(first.token, key: first.handle, publicKey: second.publicKey, .sha1)
        do throws(SealError) {
            #expect(try !key.opensOwnSeal())
        } catch {
            // The token opens no block of that half at all.
            guard case .token(let error) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(error.isRejectedCiphertext)
        }
        #expect(try first.key(.sha1).opensOwnSeal())
    }

    @Test func `Leading zeros of a modulus are no part of a block`() throws {
        let pair = try makePair()
        let padded = RSAPublicKey(modulus: [0] + pair.publicKey.modulus, exponent: pair.publicKey.exponent)
        let key = RSASealing(pair.token, key: pair.handle, publicKey: padded, .sha1)
        #expect(key.sealedSize(of: 32) == 304)
        #expect(pair.key(.sha1).open(try key.seal(Self.secret)) == .secret(Self.secret))
    }

    // MARK: - SHA-256

    @Test func `A hash that the token does not have is a fault of the token`() throws {
        let pair = try makePair()
        guard case .token(let error) = pair.key(.sha256).open(try pair.key(.sha256).seal(Self.secret)) else {
            Issue.record("SoftHSM has OAEP with SHA-256")
            return
        }
        #expect(error.function == "C_DecryptInit")
    }

    @Test(arguments: [RSAPublicKey.OAEPHash.sha1, .sha256])
    func `A block is the OAEP of the seed that the rest is sealed with`(hash: RSAPublicKey.OAEPHash) throws {
        let pair = try makePair()
        let sealed = try pair.key(hash).seal(Self.secret)
        // CKM_RSA_X_509: the number itself.
        let (block, rest) = (Array(sealed[..<256]), Array(sealed[256...]))
        let raw = try pair.token.withSession { (session) throws(PKCS11Error) in
            unsafe try session.decrypt(Mechanism(MechanismType(rawValue: 3)), key: pair.handle, block.span.bytes)
        }
        let seed = try #require(try decoded(raw.withBytes { $0.array }, hash == .sha1 ? .sha1 : .sha256))
        #expect(seed.count == 32)
        let info = try Array("keyfob rsa-oaep 1".utf8) + digest(block, .sha256)
        let derived = try DerivedSeal(SecretBytes(copying: seed), info: info)
        let opened = unsafe try derived.open(rest.span.bytes, [1, 2, 3])
        #expect(opened.withBytes { $0.array } == Self.secret)
        // The other hash does not take it apart.
        #expect(try decoded(raw.withBytes { $0.array }, hash == .sha1 ? .sha256 : .sha1) == nil)
    }

    /// The message of an encoded one (RFC 8017 §7.1.2, step 3) without a label; nil if it is none.
    private func decoded(_ encoded: [UInt8], _ hash: HashFunction) throws -> [UInt8]? {
        let split = 1 + hash.size
        guard encoded.count == 256, encoded[0] == 0 else { return nil }
        let (maskedSeed, maskedData) = (Array(encoded[1..<split]), Array(encoded[split...]))
        let seed = try xor(maskedSeed, mask(maskedData, hash.size, hash))
        let data = try xor(maskedData, mask(seed, maskedData.count, hash))
        guard try data[..<hash.size].elementsEqual(digest([], hash)) else { return nil }
        let rest = data[hash.size...].drop { $0 == 0 }
        return rest.first == 1 ? Array(rest.dropFirst()) : nil
    }

    /// MGF1 (RFC 8017 §B.2.1).
    private func mask(_ seed: [UInt8], _ count: Int, _ hash: HashFunction) throws -> [UInt8] {
        var mask: [UInt8] = []
        var counter: UInt8 = 0
        while mask.count < count {
            mask += try digest(seed + [0, 0, 0, counter], hash)
            counter += 1
        }
        return Array(mask[..<count])
    }

    private func digest(_ bytes: [UInt8], _ hash: HashFunction) throws -> [UInt8] {
        unsafe try hash.digest(bytes.span.bytes)
    }

    private func xor(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] { zip(left, right).map { $0 ^ $1 } }
}
