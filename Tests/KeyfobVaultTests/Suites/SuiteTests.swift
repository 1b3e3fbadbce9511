// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// What every suite keeps, on SoftHSM.
///
/// It has OAEP with SHA-1 only: `RSASuiteTests` has what can be said of SHA-256.
@Suite(.lendsTokens) struct SuiteTests {
    private static let secret = [UInt8](0..<32)

    @Test(arguments: SuiteCase.allCases, [32, 48, 64])
    func `A secret opens to what was sealed`(suite: SuiteCase, count: Int) throws {
        let lab = try SuiteLab(suite)
        let secret = (0..<count).map { UInt8($0 * 3) }
        let sealed = try lab.key.seal(secret)
        #expect(sealed.count == count + suite.overhead)
        #expect(lab.key.open(sealed) == .secret(secret))
    }

    @Test(arguments: SuiteCase.allCases)
    func `A seal writes its bytes and no others`(suite: SuiteCase) throws {
        let lab = try SuiteLab(suite)
        let size = lab.key.sealedSize(of: 32)
        #expect(size == 32 + suite.overhead)
        var blob = [UInt8](repeating: 0xEE, count: size + 20)
        try lab.key.seal(SecretBytes(copying: Self.secret), [1, 2, 3], into: &blob, at: 7)
        #expect(blob.count == size + 20)
        #expect(blob[..<7].allSatisfy { $0 == 0xEE } && blob[(7 + size)...].allSatisfy { $0 == 0xEE })
        #expect(lab.key.open(Array(blob[7..<7 + size])) == .secret(Self.secret))
    }

    @Test(arguments: SuiteCase.allCases)
    func `Other associated data does not open`(suite: SuiteCase) throws {
        let key = try SuiteLab(suite).key
        let sealed = try key.seal(Self.secret, [1, 2, 3])
        for other in [[], [1, 2], [1, 2, 4], [1, 2, 3, 0]] as [[UInt8]] {
            #expect(key.open(sealed, other) == .notAuthentic, "\(other)")
        }
        #expect(key.open(try key.seal(Self.secret, []), []) == .secret(Self.secret))
    }

    @Test(arguments: SuiteCase.allCases)
    func `No byte can be changed`(suite: SuiteCase) throws {
        let key = try SuiteLab(suite).key
        let sealed = try key.seal(Self.secret)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(key.open(changed) == .notAuthentic, "byte \(index)")
        }
        #expect(key.open(sealed) == .secret(Self.secret))
    }

    @Test(arguments: SuiteCase.allCases)
    func `What is cut short or too long for a key is refused without a token call`(suite: SuiteCase) throws {
        let lab = try SuiteLab(suite)
        let sealed = try lab.key.seal(Self.secret)
        let calls = lab.calls {
            for count in 0..<sealed.count { #expect(lab.key.open(Array(sealed[..<count])) == .notAuthentic) }
            #expect(lab.key.open(sealed + [UInt8](repeating: 0, count: 33)) == .notAuthentic)
        }
        #expect(calls == [:])
    }

    @Test(arguments: SuiteCase.allCases)
    func `What has become longer is refused`(suite: SuiteCase) throws {
        let key = try SuiteLab(suite).key
        let sealed = try key.seal(Self.secret)
        for more in [1, 16, 32] {
            #expect(key.open(sealed + [UInt8](repeating: 0, count: more)) == .notAuthentic, "\(more) more")
        }
    }

    @Test(arguments: SuiteCase.allCases)
    func `Two seals of a secret have nothing in common`(suite: SuiteCase) throws {
        let key = try SuiteLab(suite).key
        let (first, second) = (try key.seal(Self.secret), try key.seal(Self.secret))
        let equal = zip(first, second).count { $0 == $1 }
        // About one byte in 256 is equal by chance; a point and a number below the modulus begin alike.
        #expect(equal < 20)
        #expect(key.open(first) == key.open(second))
    }

    @Test(arguments: SuiteCase.allCases)
    func `Parts of two seals do not make a third`(suite: SuiteCase) throws {
        let key = try SuiteLab(suite).key
        let (first, second) = (try key.seal(Self.secret), try key.seal(Self.secret))
        for cut in [suite == .cbcHMAC ? 16 : first.count - 48, first.count - (suite == .cbcHMAC ? 32 : 16)] {
            #expect(key.open(Array(first[..<cut] + second[cut...])) == .notAuthentic, "at \(cut)")
        }
    }

    @Test(arguments: SuiteCase.allCases)
    func `The token calls are those that are promised`(suite: SuiteCase) throws {
        let lab = try SuiteLab(suite)
        var sealed: [UInt8] = []
        let sealCalls = try lab.calls { sealed = try lab.key.seal(Self.secret) }
        #expect(sealCalls == suite.sealCalls)
        var opened = Opened.other
        let openCalls = lab.calls { opened = lab.key.open(sealed) }
        #expect(openCalls == suite.openCalls)
        #expect(opened == .secret(Self.secret))
    }

    @Test(arguments: SuiteCase.allCases)
    func `The key of another keychain does not open`(suite: SuiteCase) throws {
        let lab = try SuiteLab(suite)
        let (other, _) = try SuiteLab.makeKey(suite, on: lab.token)
        let sealed = try lab.key.seal(Self.secret)
        #expect(other.open(sealed) == .notAuthentic)
        #expect(lab.key.open(sealed) == .secret(Self.secret))
    }

    @Test(arguments: SuiteCase.allCases)
    func `A token that fails is never told as a changed seal`(suite: SuiteCase) throws {
        let lab = try SuiteLab(suite)
        let sealed = try lab.key.seal(Self.secret)
        for function in suite.openFunctions where function != .destroyObject {
            for value in [.generalError, .deviceError, .functionFailed, .hostMemory] as [ReturnValue] {
                lab.plan.fail(function, with: value, times: 10)
                guard case .token(let error) = lab.key.open(sealed) else {
                    Issue.record("\(function.name) \(value)")
                    continue
                }
                #expect(error.function == function.name && error.returnValue == value)
                lab.plan.clear()
                #expect(lab.key.open(sealed) == .secret(Self.secret))
            }
        }
    }

    @Test(arguments: SuiteCase.allCases)
    func `A token that fails is told by a seal that needs it`(suite: SuiteCase) throws {
        let lab = try SuiteLab(suite)
        for function in CryptokiFunction.allCases where suite.sealCalls[function.name] != nil {
            lab.plan.fail(function, with: .deviceError)
            let error = #expect(throws: SealError.self) { _ = try lab.key.seal(Self.secret) }
            guard case .token(let fault) = error else {
                Issue.record("\(function.name)")
                continue
            }
            #expect(fault.function == function.name)
        }
    }

    @Test(arguments: SuiteCase.allCases)
    func `A locked token opens nothing, and says so`(suite: SuiteCase) throws {
        let lab = try SuiteLab(suite)
        let sealed = try lab.key.seal(Self.secret)
        try lab.token.logout()
        guard case .token(let error) = lab.key.open(sealed) else {
            Issue.record("it opened, or was told as changed")
            return
        }
        #expect(error.returnValue?.kind == .objectGone || error.returnValue?.kind == .notLoggedIn)
    }

    @Test(arguments: SuiteCase.allCases)
    func `A public token key works without a login`(suite: SuiteCase) throws {
        let lab = try SuiteLab(suite, isPrivate: false)
        let sealed = try lab.key.seal(Self.secret)
        try lab.token.logout()
        #expect(lab.key.open(sealed) == .secret(Self.secret))
        #expect(try lab.key.opensOwnSeal())
    }

    @Test(arguments: SuiteCase.allCases)
    func `A proof is no proof of a token that fails`(suite: SuiteCase) throws {
        let lab = try SuiteLab(suite)
        lab.plan.fail(try #require(suite.openFunctions.last), with: .deviceRemoved)
        #expect(throws: SealError.self) { _ = try lab.key.opensOwnSeal() }
    }

    // MARK: - The objects

    @Test(arguments: SuiteCase.allCases)
    func `The keys are where they should be, and do nothing but what the suite needs`(suite: SuiteCase) throws {
        let uses: [[AttributeType]] =
            switch suite {
            case .cbcHMAC: [[.encrypt, .decrypt], [.sign, .verify]]
            case .hmac: [[.sign, .verify]]
            case .rsa: [[.decrypt]]
            case .ecdh: [[.derive]]
            }
        for isPrivate in [true, false] {
            let lab = try SuiteLab(suite, isPrivate: isPrivate)
            #expect(lab.handles.count == uses.count)
            for (handle, uses) in zip(lab.handles, uses) {
                let session = try lab.token.openSession(readWrite: false)
                func fault(_ isPrivate: Bool, _ onToken: Bool, _ uses: [AttributeType]) throws -> String? {
                    try SuiteTemplates.fault(
                        of: handle, in: session, isPrivate: isPrivate, onToken: onToken, uses: uses)
                }
                #expect(try fault(isPrivate, true, uses) == nil)
                #expect(try fault(!isPrivate, true, uses) == "CKA_PRIVATE")
                #expect(try fault(isPrivate, false, uses) == "CKA_TOKEN")
                #expect(try fault(isPrivate, true, []) != nil)
                #expect(try session.bytes(of: handle, .value) == nil)
            }
        }
    }

    @Test func `The two keys of a name are told apart by their type`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let session = try token.openSession(readWrite: true)
        let name = KeyName(ClassKeyID(.whenUnlocked, generation: 1), of: try Vault.freshUUID(.create))
        let cipher = try session.generateKey(
            .aesKeyGeneration, SuiteTemplates.cipherKey(name, isPrivate: true, onToken: true))
        let mac = try session.generateKey(
            .genericSecretKeyGeneration, SuiteTemplates.macKey(name, isPrivate: true, onToken: true))
        #expect(try session.findOne(KeyObjectKind.cbc.search(name.id)) == cipher)
        #expect(try session.findOne(KeyObjectKind.hmac.search(name.id)) == mac)
        #expect(try session.findOne(KeyObjectKind.rsa.search(name.id)) == nil)
        #expect(try session.bytes(of: mac, .label) == Array(name.label.utf8))
    }
}
