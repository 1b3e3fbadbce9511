// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

extension TokenContract {
    /// Where a secret key can live that works without a login.
    ///
    /// Asked with AES-CBC or HMAC, whatever the kind does.
    @Suite struct ResidenceTests {
        private var shape: KeyShape { TokenPromises.expected(.cbc) == .yes ? .aes : .generic }

        /// A use of the key; its result depends on nothing else.
        private func use(_ session: borrowing Session, _ key: ObjectHandle) throws(PKCS11Error) -> [UInt8] {
            let data = [UInt8](repeating: 9, count: 32)
            if shape == .aes {
                return unsafe try session.encrypt(
                    .aesCBC(iv: [UInt8](repeating: 1, count: 16)), key: key, data.span.bytes)
            }
            return unsafe try session.sign(.sha256HMAC, key: key, data.span.bytes).withBytes { $0.array }
        }

        @Test func `A public token key works before a login`() throws {
            try Bench.loggedIn { token in
                let works = try Bench.does {
                    try MadeKey.with(shape, on: token, isPrivate: false) { session, key, id in
                        guard try session.bool(of: key, .private) == false else {
                            throw PKCS11Error(function: "C_GenerateKey", returnValue: .attributeValueInvalid)
                        }
                        let expected = try use(session, key)
                        try token.logout()
                        let result = try token.withSession { (session) throws(PKCS11Error) -> [UInt8]? in
                            guard let key = try session.findOne(.named(.secretKey, id)) else { return nil }
                            return try use(session, key)
                        }
                        #expect(result == expected)
                    }
                }
                keep(.publicKey, Answer(works))
            }
        }

        @Test func `A public session key that was made while logged in works after a logout`() throws {
            try Bench.loggedIn { token in
                let works = try Bench.does {
                    let session = try token.openSession(readWrite: true)
                    let id = Template.newID()
                    let key =
                        shape == .aes
                        ? try session.generateKey(
                            .aesKeyGeneration, .aes(token: false, isPrivate: false, id: id))
                        : try session.generateKey(
                            .genericSecretKeyGeneration, .generic(token: false, isPrivate: false, id: id))
                    let expected = try use(session, key)
                    try token.logout()
                    #expect(try use(session, key) == expected)
                    #expect(try token.withSession { (other) throws(PKCS11Error) in try use(other, key) } == expected)
                }
                keep(.publicSessionKey, Answer(works))
            }
        }

        @Test func `A private key that is copied to a public session key works after a logout`() throws {
            try Bench.loggedIn { token in
                let works = try Bench.does {
                    try MadeKey.with(shape, on: token) { session, key, _ in
                        var template = Template()
                        template.set(.token, false)
                        template.set(.private, false)
                        let copy = try session.copyObject(key, template)
                        #expect(try session.bool(of: copy, .sensitive) == true)
                        #expect(try session.bool(of: copy, .extractable) == false)
                        let expected = try use(session, key)
                        try token.logout()
                        #expect(try use(session, copy) == expected)
                        try session.destroyObject(copy)
                    }
                }
                keep(.copying, Answer(works))
            }
        }

        @Test func `A wrapped key that is unwrapped to a public session key works after a logout`() throws {
            let works = try Bench.loggedIn { token in
                try Bench.does {
                    try MadeKey.with(.aes, on: token) { session, wrapping, _ in
                        var source = Template()
                        source.set(.secretKey)
                        source.set(.aes)
                        source.set(.valueLength, 32)
                        source.set(.token, false)
                        source.set(.private, true)
                        source.set(.extractable, true)
                        source.set(.encrypt, true)
                        source.set(.decrypt, true)
                        let key = try session.generateKey(.aesKeyGeneration, source)
                        let expected = try use(session, key)
                        let blob = try session.wrapKey(.aesKeyWrapPad, wrapping: wrapping, key: key)
                        var target = Template()
                        target.set(.secretKey)
                        target.set(.aes)
                        target.set(.token, false)
                        target.set(.private, false)
                        target.set(.sensitive, true)
                        target.set(.extractable, false)
                        target.set(.encrypt, true)
                        target.set(.decrypt, true)
                        let unwrapped = try session.unwrapKey(.aesKeyWrapPad, unwrapping: wrapping, blob, target)
                        #expect(try session.bool(of: unwrapped, .sensitive) == true)
                        #expect(try session.bool(of: unwrapped, .extractable) == false)
                        try token.logout()
                        #expect(try use(session, unwrapped) == expected)
                    }
                }
            }
            keep(.wrapping, Answer(works))
        }
    }
}
