// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// What is special to ecdh-p256: points, and an object that has to go.
@Suite(.lendsTokens) struct ECDHSuiteTests {
    private static let secret = [UInt8](0..<32)

    @Test func `A point that is not on the curve never reaches the token`() throws {
        let lab = try SuiteLab(.ecdh)
        let sealed = try lab.key.seal(Self.secret)
        let calls = lab.calls {
            for index in 0..<65 {
                var changed = sealed
                changed[index] ^= 0x10
                #expect(lab.key.open(changed) == .notAuthentic, "byte \(index)")
            }
        }
        #expect(calls == [:])
    }

    @Test func `Another point of the curve is not authentic`() throws {
        let lab = try SuiteLab(.ecdh)
        let sealed = try lab.key.seal(Self.secret)
        let other = try P256KeyPair().publicKey.point
        #expect(lab.key.open(other + sealed[65...]) == .notAuthentic)
    }

    /// Both lead to the same x coordinate, which alone is shared.
    @Test func `The negated point is not authentic, though the token derives the same from it`() throws {
        let lab = try SuiteLab(.ecdh)
        var sealed = try lab.key.seal(Self.secret)
        // p - y, with p = 2^256 - 2^224 + 2^192 + 2^96 - 1.
        let prime: [UInt8] =
            [255, 255, 255, 255, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 12) + [UInt8](repeating: 255, count: 12)
        var borrow = 0
        for index in (0..<32).reversed() {
            let difference = Int(prime[index]) - Int(sealed[33 + index]) - borrow
            borrow = difference < 0 ? 1 : 0
            sealed[33 + index] = UInt8(difference & 255)
        }
        #expect(try P256PublicKey(point: Array(sealed[..<65])) != nil)
        #expect(lab.key.open(sealed) == .notAuthentic)
    }

    @Test func `Another public half than the key's is found out by the proof`() throws {
        let lab = try SuiteLab(.ecdh)
        let foreign = try P256KeyPair().publicKey
        let key = ECDHSealing(lab.token, key: try #require(lab.handles.first), publicKey: foreign)
        #expect(try !key.opensOwnSeal())
        #expect(try lab.key.opensOwnSeal())
    }

    // MARK: - The derived object

    @Test func `No derived object is left, whatever an open comes to`() throws {
        let lab = try SuiteLab(.ecdh)
        let sealed = try lab.key.seal(Self.secret)
        var changed = sealed
        changed[70] ^= 1
        #expect(lab.key.open(sealed) == .secret(Self.secret))
        #expect(lab.key.open(changed) == .notAuthentic)
        lab.plan.fail(.getAttributeValue, with: .deviceError)
        guard case .token = lab.key.open(sealed) else {
            Issue.record("no fault")
            return
        }
        lab.plan.fail(.getAttributeValue, with: .attributeSensitive)
        guard case .token(let error) = lab.key.open(sealed), case .malformed = error.fault else {
            Issue.record("no fault")
            return
        }
        #expect(try lab.secretKeys() == 0)
    }

    @Test func `An object that the token does not destroy goes with its session`() throws {
        let lab = try SuiteLab(.ecdh)
        let sealed = try lab.key.seal(Self.secret)
        for value in [.functionNotSupported, .generalError, .actionProhibited] as [ReturnValue] {
            lab.plan.fail(.destroyObject, with: value)
            #expect(lab.key.open(sealed) == .secret(Self.secret))
            #expect(try lab.secretKeys() == 0, "\(value)")
        }
    }

    // MARK: - Raw or DER

    @Test(arguments: [ReturnValue.mechanismParamInvalid, .argumentsBad, .dataInvalid, .generalError])
    func `A token that refuses the raw point gets DER, from then on at once`(value: ReturnValue) throws {
        let lab = try SuiteLab(.ecdh)
        let sealed = try lab.key.seal(Self.secret)
        lab.plan.fail(.deriveKey, with: value)
        #expect(lab.key.open(sealed) == .secret(Self.secret))
        #expect(lab.token.wantsDERPoints)
        let calls = lab.calls { #expect(lab.key.open(sealed) == .secret(Self.secret)) }
        #expect(calls["C_DeriveKey"] == 1)
    }

    @Test func `A token that refuses both forms is told by the first refusal, and asked for raw again`() throws {
        let lab = try SuiteLab(.ecdh)
        let sealed = try lab.key.seal(Self.secret)
        lab.plan.fail(.deriveKey, with: .mechanismParamInvalid)
        lab.plan.fail(.deriveKey, with: .dataInvalid)
        guard case .token(let error) = lab.key.open(sealed) else {
            Issue.record("no fault")
            return
        }
        #expect(error.returnValue == .mechanismParamInvalid)
        #expect(!lab.token.wantsDERPoints)
        #expect(lab.key.open(sealed) == .secret(Self.secret))
    }

    @Test func `A key that is gone is no reason to try DER`() throws {
        let lab = try SuiteLab(.ecdh)
        let sealed = try lab.key.seal(Self.secret)
        lab.plan.fail(.deriveKey, with: .keyHandleInvalid)
        let calls = lab.calls {
            guard case .token = lab.key.open(sealed) else {
                Issue.record("no fault")
                return
            }
        }
        #expect(calls["C_DeriveKey"] == 1)
    }
}
