// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// Keys that ask for the PIN at each use.
@Suite(.lendsTokens) struct PresenceTests {
    private static let text: [UInt8] = [1, 2, 3, 4]

    private struct Provisioned {
        let made: SoftHSMToken
        let token: Token
        let key: ObjectHandle
        let sealed: [UInt8]
    }

    private static func provision() throws -> Provisioned {
        let made = try SoftHSMToken.make()
        let token = try made.openLoggedIn()
        let session = try token.openSession(readWrite: true)
        var publicKey = Template()
        publicKey.set(.modulusBits, 2048)
        publicKey.set(.publicExponent, [1, 0, 1])
        publicKey.set(.encrypt, true)
        var privateKey = Template()
        privateKey.set(.token, true)
        privateKey.set(.private, true)
        privateKey.set(.sensitive, true)
        privateKey.set(.decrypt, true)
        privateKey.set(.alwaysAuthenticate, true)
        let pair = try session.generateKeyPair(.rsaKeyPairGeneration, publicKey: publicKey, privateKey: privateKey)
        let sealed = unsafe try session.encrypt(.rsaOAEP(.sha1), key: pair.publicKey, text.span.bytes)
        return Provisioned(made: made, token: token, key: pair.privateKey, sealed: sealed)
    }

    @Test func `The PIN given with the use opens`() throws {
        let world = try Self.provision()
        let session = try world.token.openSession(readWrite: false)
        let before = world.token.calls.calls(of: .login)
        let opened = unsafe try session.decrypt(
            .rsaOAEP(.sha1), key: world.key, world.sealed.span.bytes, pin: world.made.pin())
        #expect(opened.withBytes { $0.array } == Self.text)
        #expect(world.token.calls.calls(of: .login) - before == 1)
    }

    @Test func `The login alone does not open`() throws {
        let world = try Self.provision()
        let session = try world.token.openSession(readWrite: false)
        let failed = failure {
            _ = unsafe try session.decrypt(.rsaOAEP(.sha1), key: world.key, world.sealed.span.bytes)
        }
        #expect(failed?.function == "C_Decrypt")
        #expect(failed?.returnValue?.kind == .notLoggedIn)
        #expect(session.fault != nil)
    }

    @Test func `A wrong PIN does not open, reaches the token once and spoils the session`() throws {
        let world = try Self.provision()
        let session = try world.token.openSession(readWrite: false)
        let before = world.token.calls.calls(of: .login)
        let failed = failure {
            _ = unsafe try session.decrypt(
                .rsaOAEP(.sha1), key: world.key, world.sealed.span.bytes, pin: world.made.wrongPIN())
        }
        #expect(failed?.function == "C_Login")
        #expect(failed?.returnValue == .pinIncorrect)
        #expect(world.token.calls.calls(of: .login) - before == 1)
        #expect(session.fault != nil)
    }

    @Test func `A PIN serves one use`() throws {
        let world = try Self.provision()
        let session = try world.token.openSession(readWrite: false)
        _ = unsafe try session.decrypt(.rsaOAEP(.sha1), key: world.key, world.sealed.span.bytes, pin: world.made.pin())
        let failed = failure {
            _ = unsafe try session.decrypt(.rsaOAEP(.sha1), key: world.key, world.sealed.span.bytes)
        }
        #expect(failed?.returnValue?.kind == .notLoggedIn)
    }

    @Test func `A damaged ciphertext does not open`() throws {
        let world = try Self.provision()
        let session = try world.token.openSession(readWrite: false)
        var damaged = world.sealed
        damaged[100] ^= 1
        let failed = failure {
            _ = unsafe try session.decrypt(.rsaOAEP(.sha1), key: world.key, damaged.span.bytes, pin: world.made.pin())
        }
        #expect(failed?.function == "C_Decrypt")
    }
}
