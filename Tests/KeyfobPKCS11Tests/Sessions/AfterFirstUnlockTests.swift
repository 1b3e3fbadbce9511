// SPDX-License-Identifier: Apache-2.0
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// How a key stays usable after a logout and never leaves the token: a public session object, unwrapped at the first
/// login from a blob that only a private key of the token can open.
@Suite(.lendsTokens) struct AfterFirstUnlockTests {
    /// The private AES token key that wraps and unwraps and does nothing else.
    private static var wrappingKey: Template {
        var template = Template()
        template.set(.secretKey)
        template.set(.aes)
        template.set(.valueLength, 32)
        template.set(.token, true)
        template.set(.private, true)
        template.set(.sensitive, true)
        template.set(.extractable, false)
        template.set(.encrypt, false)
        template.set(.decrypt, false)
        template.set(.wrap, true)
        template.set(.unwrap, true)
        return template
    }

    /// The class key at its birth: a session object that may be wrapped once.
    private static var newClassKey: Template {
        var template = Template()
        template.set(.secretKey)
        template.set(.aes)
        template.set(.valueLength, 32)
        template.set(.token, false)
        template.set(.private, true)
        template.set(.sensitive, true)
        template.set(.extractable, true)
        template.set(.encrypt, true)
        template.set(.decrypt, true)
        return template
    }

    /// The class key in use: public, and neither extractable nor copyable.
    ///
    /// Without `CKA_VALUE_LEN`, which SoftHSM refuses here.
    private static var residentClassKey: Template {
        var template = Template()
        template.set(.secretKey)
        template.set(.aes)
        template.set(.token, false)
        template.set(.private, false)
        template.set(.sensitive, true)
        template.set(.extractable, false)
        template.set(.copyable, false)
        template.set(.encrypt, true)
        template.set(.decrypt, true)
        template.set(.wrap, false)
        template.set(.unwrap, false)
        return template
    }

    /// A provisioned token: the wrapping key on it, and the blob and a sealed value outside.
    private struct Provisioned {
        let made: SoftHSMToken
        let token: Token
        let wrapping: ObjectHandle
        let blob: [UInt8]
        let sealed: [UInt8]
    }

    private static func provision() throws -> Provisioned {
        let made = try SoftHSMToken.make()
        let token = try made.openLoggedIn()
        let session = try token.openSession(readWrite: true)
        let wrapping = try session.generateKey(.aesKeyGeneration, wrappingKey)
        let classKey = try session.generateKey(.aesKeyGeneration, newClassKey)
        let blob = try session.wrapKey(.aesKeyWrapPad, wrapping: wrapping, key: classKey)
        let sealed = try session.seal([1, 2, 3], key: classKey)
        return Provisioned(made: made, token: token, wrapping: wrapping, blob: blob, sealed: sealed)
    }

    @Test func `The wrapped key is 40 bytes, as RFC 5649 says`() throws {
        #expect(try Self.provision().blob.count == 40)
    }

    @Test func `The unwrapped key has the attributes that were asked for`() throws {
        let world = try Self.provision()
        let resident = try world.token.openSession(readWrite: false)
        let key = try resident.unwrapKey(
            .aesKeyWrapPad, unwrapping: world.wrapping, world.blob, Self.residentClassKey)
        #expect(try resident.bool(of: key, .token) == false)
        #expect(try resident.bool(of: key, .private) == false)
        #expect(try resident.bool(of: key, .sensitive) == true)
        #expect(try resident.bool(of: key, .extractable) == false)
        #expect(try resident.bool(of: key, .copyable) == false)
        #expect(try resident.bytes(of: key, .value) == nil)
    }

    @Test func `The unwrapped key opens before and after a logout, and after more logins`() throws {
        let world = try Self.provision()
        let resident = try world.token.openSession(readWrite: false)
        let key = try resident.unwrapKey(
            .aesKeyWrapPad, unwrapping: world.wrapping, world.blob, Self.residentClassKey)
        #expect(try resident.open(world.sealed, key: key) == [1, 2, 3])
        for _ in 0..<5 {
            try world.token.logout()
            #expect(!world.token.isLoggedIn)
            #expect(try resident.open(world.sealed, key: key) == [1, 2, 3])
            try world.token.login(world.made.pin())
        }
        #expect(try resident.open(world.sealed, key: key) == [1, 2, 3])
    }

    @Test func `Other sessions use the key after the logout too`() throws {
        let world = try Self.provision()
        let resident = try world.token.openSession(readWrite: false)
        let key = try resident.unwrapKey(
            .aesKeyWrapPad, unwrapping: world.wrapping, world.blob, Self.residentClassKey)
        try world.token.logout()
        let opened = try world.token.withSession { (session) throws(PKCS11Error) in
            try session.open(world.sealed, key: key)
        }
        #expect(opened == [1, 2, 3])
    }

    @Test func `The wrapping key is unusable and not found after the logout`() throws {
        let world = try Self.provision()
        let resident = try world.token.openSession(readWrite: false)
        try world.token.logout()
        let failed = failure {
            _ = try resident.unwrapKey(
                .aesKeyWrapPad, unwrapping: world.wrapping, world.blob, Self.residentClassKey)
        }
        #expect(failed?.returnValue?.kind == .objectGone)
        var secretKeys = Template()
        secretKeys.set(.secretKey)
        #expect(try resident.find(secretKeys) == [])
    }

    @Test func `The key dies with the session that made it`() throws {
        let world = try Self.provision()
        let other = try world.token.openSession(readWrite: false)
        let key: ObjectHandle
        do {
            let resident = try world.token.openSession(readWrite: false)
            key = try resident.unwrapKey(
                .aesKeyWrapPad, unwrapping: world.wrapping, world.blob, Self.residentClassKey)
        }
        #expect(failure { _ = try other.open(world.sealed, key: key) }?.returnValue?.kind == .objectGone)
    }

    @Test func `The key is neither copied nor wrapped, not even while logged in`() throws {
        let world = try Self.provision()
        let resident = try world.token.openSession(readWrite: true)
        let key = try resident.unwrapKey(
            .aesKeyWrapPad, unwrapping: world.wrapping, world.blob, Self.residentClassKey)
        var lasting = Template()
        lasting.set(.token, true)
        #expect(failure { _ = try resident.copyObject(key, lasting) } != nil)
        let failed = failure { _ = try resident.wrapKey(.aesKeyWrapPad, wrapping: world.wrapping, key: key) }
        #expect(failed?.returnValue == .keyUnextractable)
    }

    @Test func `The wrapping key opens nothing by decryption`() throws {
        let world = try Self.provision()
        let session = try world.token.openSession(readWrite: false)
        #expect(
            failure { _ = try session.open(world.sealed, key: world.wrapping) }?.returnValue
                == .keyFunctionNotPermitted)
    }

    @Test func `A damaged blob does not unwrap`() throws {
        let world = try Self.provision()
        let resident = try world.token.openSession(readWrite: false)
        for index in [0, 20, 39] {
            var damaged = world.blob
            damaged[index] ^= 1
            let failed = failure {
                _ = try resident.unwrapKey(
                    .aesKeyWrapPad, unwrapping: world.wrapping, damaged, Self.residentClassKey)
            }
            #expect(failed?.function == "C_UnwrapKey")
        }
    }

    // MARK: - The private copy for the time of a login

    @Test func `A private session copy of a private token key opens while logged in and dies at the logout`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.openLoggedIn()
        let writer = try token.openSession(readWrite: true)
        let key = try writer.generateKey(.aesKeyGeneration, .aesKey(token: true))
        let session = try token.openSession(readWrite: false)
        var template = Template()
        template.set(.token, false)
        template.set(.private, true)
        let copy = try session.copyObject(key, template)
        let sealed = try session.seal([4], key: key)
        #expect(try session.open(sealed, key: copy) == [4])
        #expect(try session.bool(of: copy, .sensitive) == true)
        #expect(try session.bool(of: copy, .extractable) == false)
        try token.logout()
        #expect(failure { _ = try session.open(sealed, key: copy) }?.returnValue?.kind == .objectGone)
        #expect(failure { _ = try session.open(sealed, key: key) }?.returnValue?.kind == .objectGone)
        try token.login(made.pin())
        #expect(failure { _ = try session.open(sealed, key: copy) }?.returnValue?.kind == .objectGone)
    }

    @Test func `A private key is not copied to a public object`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let writer = try token.openSession(readWrite: true)
        let key = try writer.generateKey(.aesKeyGeneration, .aesKey(token: true))
        var template = Template()
        template.set(.token, false)
        template.set(.private, false)
        #expect(failure { _ = try writer.copyObject(key, template) }?.returnValue == .templateInconsistent)
    }

    @Test func `A public token key opens before any login`() throws {
        let made = try SoftHSMToken.make()
        let sealed: [UInt8]
        do {
            let token = try made.openLoggedIn()
            let writer = try token.openSession(readWrite: true)
            let key = try writer.generateKey(
                .aesKeyGeneration, .aesKey(token: true, isPrivate: false, label: "always"))
            sealed = try writer.seal([6], key: key)
            try token.logout()
        }
        let session = try made.open().openSession(readWrite: false)
        let key = try #require(try session.findOne(.label("always")))
        #expect(try session.open(sealed, key: key) == [6])
    }
}
