// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// That no key comes out of the token: every way that PKCS #11 has is tried on every key, by somebody who is logged in.
@Suite(.lendsTokens) struct KeyExtractionTests {
    /// Every object of the keychain on an unlocked token: class keys, their session copies, the wrapping key.
    private func objects(_ test: TestVault) throws -> [(name: String, handle: ObjectHandle)] {
        var found: [(String, ObjectHandle)] = []
        for accessible in Accessibility.allCases {
            let key = try test.vault.classKey(test.id(accessible), .copyMatching)
            found.append(("\(accessible.code) in session", key.handle))
            if let handle = try test.tokenObject(accessible) { found.append(("\(accessible.code) on token", handle)) }
        }
        found.append(("wrapping key", try #require(try test.wrappingObject())))
        return found
    }

    /// Wrapping keys that somebody who is logged in can have, with the mechanisms that they may be used with.
    private func wrappings(
        _ test: TestVault, _ session: borrowing Session
    ) throws -> [(name: String, mechanism: Mechanism, key: ObjectHandle)] {
        var aes = plainTemplate()
        for usage in [.wrap, .unwrap] as [AttributeType] { aes.set(usage, true) }
        aes.set(.valueLength, 32)
        let fresh = try session.generateKey(.aesKeyGeneration, aes)
        let own = try #require(try test.wrappingObject())
        var ways: [(String, Mechanism, ObjectHandle)] = []
        for (name, key) in [("fresh AES key", fresh), ("the keychain's wrapping key", own)] {
            ways.append(("CKM_AES_KEY_WRAP by \(name)", Mechanism(.aesKeyWrap), key))
            ways.append(("CKM_AES_KEY_WRAP_PAD by \(name)", .aesKeyWrapPad, key))
            ways.append(("CKM_AES_KEY_WRAP_KWP by \(name)", .aesKeyWrapKWP, key))
            ways.append(("CKM_AES_CBC_PAD by \(name)", .aesCBCPad(iv: [UInt8](repeating: 0, count: 16)), key))
        }
        var publicKey = Template()
        publicKey.set(.token, false)
        publicKey.set(.wrap, true)
        publicKey.set(.modulusBits, UInt(2048))
        publicKey.set(.publicExponent, [1, 0, 1])
        var privateKey = Template()
        privateKey.set(.token, false)
        let pair = try session.generateKeyPair(.rsaKeyPairGeneration, publicKey: publicKey, privateKey: privateKey)
        ways.append(("CKM_RSA_PKCS_OAEP", .rsaOAEP(.sha1), pair.publicKey))
        ways.append(("CKM_RSA_PKCS", Mechanism(.rsaPKCS), pair.publicKey))
        return ways
    }

    private func plainTemplate() -> Template {
        var template = Template()
        template.set(ObjectClass.secretKey)
        template.set(KeyType.aes)
        template.set(.token, false)
        return template
    }

    @Test func `The value of no key can be read`() throws {
        let test = try TestVault().unlocked()
        for (name, handle) in try objects(test) {
            let value = try test.beside.withSession { (s) throws(PKCS11Error) in try s.bytes(of: handle, .value) }
            #expect(value == nil, "\(name)")
        }
    }

    @Test func `The value of an unprotected key can be read, so that the test above can fail`() throws {
        let test = try TestVault().unlocked()
        let session = try test.beside.openSession(readWrite: false)
        var template = plainTemplate()
        template.set(.sensitive, false)
        template.set(.extractable, true)
        template.set(.valueLength, 32)
        let key = try session.generateKey(.aesKeyGeneration, template)
        #expect(try session.bytes(of: key, .value)?.count == 32)
    }

    @Test func `No key can be wrapped by any mechanism under any key`() throws {
        let test = try TestVault().unlocked()
        let session = try test.beside.openSession(readWrite: false)
        var born = plainTemplate()
        born.set(.extractable, true)
        born.set(.valueLength, 32)
        let control = try session.generateKey(.aesKeyGeneration, born)
        let objects = try objects(test)
        var working: Set<String> = []
        for way in try wrappings(test, session) {
            // A key that may leave does leave by the ways that the token has: the refusals below mean something.
            if (try? session.wrapKey(way.mechanism, wrapping: way.key, key: control)) != nil {
                working.insert(way.name)
            }
            for (name, handle) in objects {
                let wrapped = try? session.wrapKey(way.mechanism, wrapping: way.key, key: handle)
                #expect(wrapped == nil, "\(name) by \(way.name)")
            }
        }
        #expect(
            working.isSuperset(of: [
                "CKM_AES_KEY_WRAP by fresh AES key", "CKM_AES_KEY_WRAP_PAD by fresh AES key",
                "CKM_AES_KEY_WRAP by the keychain's wrapping key",
                "CKM_AES_KEY_WRAP_PAD by the keychain's wrapping key",
                "CKM_RSA_PKCS_OAEP",
            ]))
    }

    @Test func `No key can be made extractable or readable afterwards`() throws {
        let test = try TestVault().unlocked()
        let session = try test.beside.openSession(readWrite: true)
        for (name, handle) in try objects(test) {
            for (attribute, value) in [(.extractable, true), (.sensitive, false)] as [(AttributeType, Bool)] {
                var change = Template()
                change.set(attribute, value)
                #expect(throws: PKCS11Error.self, "\(name)") { try session.setAttributes(of: handle, change) }
            }
            #expect(try session.bool(of: handle, .extractable) == false, "\(name)")
            #expect(try session.bool(of: handle, .sensitive) == true, "\(name)")
        }
    }

    @Test func `No copy of a key is extractable or readable`() throws {
        let test = try TestVault().unlocked()
        let session = try test.beside.openSession(readWrite: true)
        for (name, handle) in try objects(test) {
            for (attribute, value) in [(.extractable, true), (.sensitive, false)] as [(AttributeType, Bool)] {
                var change = Template()
                change.set(.token, false)
                change.set(attribute, value)
                #expect(throws: PKCS11Error.self, "\(name)") { _ = try session.copyObject(handle, change) }
            }
        }
    }

    @Test func `A key for after the first unlock cannot be copied at all`() throws {
        let test = try TestVault().unlocked()
        let session = try test.beside.openSession(readWrite: true)
        for accessible in Accessibility.afterUnlock {
            let key = try test.vault.classKey(test.id(accessible), .copyMatching)
            for onToken in [false, true] {
                var change = Template()
                change.set(.token, onToken)
                #expect(throws: PKCS11Error.self) { _ = try session.copyObject(key.handle, change) }
            }
        }
    }

    @Test func `Every key was made on the token and was never extractable`() throws {
        let test = try TestVault().unlocked()
        let session = try test.beside.openSession(readWrite: false)
        for (name, handle) in try objects(test) where !name.hasPrefix("ck") {
            #expect(try session.bool(of: handle, .alwaysSensitive) == true, "\(name)")
            #expect(try session.bool(of: handle, .neverExtractable) == true, "\(name)")
        }
    }

    @Test func `A key for after the first unlock is wrapped once, at its birth, by the wrapping key`() throws {
        let test = try TestVault().unlocked()
        let session = try test.beside.openSession(readWrite: true)
        let wrapping = try #require(try test.wrappingObject())
        let name = KeyName(test.id(.afterFirstUnlock), of: test.keychain)
        let before = try session.find(Template(), limit: 100).count
        let blob = try AfterFirstUnlock.make(.gcm, name, .aes, by: wrapping, in: session)
        // 32 bytes, padding and integrity check of RFC 5649; no object is left.
        #expect(blob.bytes.count == 40)
        #expect(try session.find(Template(), limit: 100).count == before)
        let handle = try AfterFirstUnlock.unwrap(blob, .gcm, by: wrapping, as: name, in: session)
        #expect(throws: PKCS11Error.self) {
            _ = try session.wrapKey(.aesKeyWrapPad, wrapping: wrapping, key: handle)
        }
    }

    @Test func `Who has the PIN and the blob cannot unwrap it as a key that can be read or taken out`() throws {
        let test = try TestVault().unlocked()
        let session = try test.beside.openSession(readWrite: true)
        let wrapping = try #require(try test.wrappingObject())
        let record = try #require(test.keys.records.first { $0.id.accessibility == .afterFirstUnlock })
        let blob = try #require(record.material.wrapped.first).bytes
        // The wrapping key carries CKA_UNWRAP_TEMPLATE, which SoftHSM holds every template against.
        for attributes in [[.extractable: true], [.sensitive: false], [.sensitive: false, .extractable: true], [:]]
            as [[AttributeType: Bool]]
        {
            var template = plainTemplate()
            template.set(.private, false)
            for (attribute, value) in attributes { template.set(attribute, value) }
            #expect(throws: PKCS11Error.self) {
                _ = try session.unwrapKey(.aesKeyWrapPad, unwrapping: wrapping, blob, template)
            }
        }
    }

    @Test func `The template that binds what is unwrapped cannot be taken off the wrapping key`() throws {
        let test = try TestVault().unlocked()
        let session = try test.beside.openSession(readWrite: true)
        let wrapping = try #require(try test.wrappingObject())
        var change = Template()
        change.set(.unwrapTemplate, Template())
        #expect(throws: PKCS11Error.self) { try session.setAttributes(of: wrapping, change) }
        change.set(.token, false)
        #expect(throws: PKCS11Error.self) { _ = try session.copyObject(wrapping, change) }
    }

    @Test func `A copy of the wrapping key unwraps nothing that can be read either`() throws {
        let test = try TestVault().unlocked()
        let session = try test.beside.openSession(readWrite: true)
        let wrapping = try #require(try test.wrappingObject())
        let record = try #require(test.keys.records.first { $0.id.accessibility == .afterFirstUnlock })
        let blob = try #require(record.material.wrapped.first).bytes
        var change = Template()
        change.set(.token, false)
        let copy = try session.copyObject(wrapping, change)
        var template = plainTemplate()
        template.set(.private, false)
        template.set(.sensitive, false)
        template.set(.extractable, true)
        #expect(throws: PKCS11Error.self) {
            _ = try session.unwrapKey(.aesKeyWrapPad, unwrapping: copy, blob, template)
        }
    }

    @Test func `Class keys encrypt and decrypt and do nothing else`() throws {
        let test = try TestVault().unlocked()
        let session = try test.beside.openSession(readWrite: false)
        for (name, handle) in try objects(test) where name != "wrapping key" {
            for usage in [.sign, .verify, .wrap, .unwrap, .derive] as [AttributeType] {
                #expect(try session.bool(of: handle, usage) == false, "\(name)")
            }
        }
        let wrapping = try #require(try test.wrappingObject())
        for usage in [.sign, .verify, .encrypt, .decrypt, .derive] as [AttributeType] {
            #expect(try session.bool(of: wrapping, usage) == false)
        }
    }
}
