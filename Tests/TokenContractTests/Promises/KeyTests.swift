// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

extension TokenContract {
    /// Which keys a token makes, and that what others left on it disturbs nobody.
    @Suite struct KeyTests {
        private static let promises: [KeyShape: Promise] = [
            .aes: .aesKey, .generic: .genericKey, .rsa: .rsaKey, .ec: .ecKey,
        ]

        @Test(arguments: KeyShape.allCases)
        func `A key that is made is private, sensitive, not extractable, and found by its ID`(
            _ shape: KeyShape
        ) throws {
            let promise = try #require(Self.promises[shape])
            try Bench.loggedIn { token in
                let makes = try Bench.does {
                    try MadeKey.with(shape, on: token) { session, key, id in
                        #expect(try session.bool(of: key, .token) == true)
                        #expect(try session.bool(of: key, .private) == true)
                        #expect(try session.bool(of: key, .sensitive) == true)
                        #expect(try session.bool(of: key, .extractable) == false)
                        #expect(try session.findOne(.named(shape.objectClass, id)) != nil)
                        let hasPublicHalf = try session.findOne(.named(.publicKey, id)) != nil
                        #expect(hasPublicHalf == (shape.objectClass == .privateKey))
                    }
                }
                keep(promise, Answer(makes))
            }
        }

        @Test(arguments: KeyShape.allCases)
        func `A key is found by its ID beside keys of others, which stay`(_ shape: KeyShape) throws {
            guard TokenPromises.expected(try #require(Self.promises[shape])) == .yes else { return }
            try Bench.loggedIn { token in
                try MadeKey.with(shape, on: token) { _, _, first in
                    try MadeKey.with(shape, on: token) { session, _, second in
                        for id in [first, second] {
                            let found = try session.find(.named(shape.objectClass, id))
                            #expect(found.count == 1)
                        }
                    }
                    let stays = try token.withSession { (session) throws(PKCS11Error) in
                        try session.findOne(.named(shape.objectClass, first)) != nil
                    }
                    #expect(stays)
                }
            }
        }

        @Test func `An ID that nobody has is not found among the objects of others`() throws {
            try Bench.loggedIn { token in
                let session = try token.openSession(readWrite: false)
                for objectClass: ObjectClass in [.certificate, .publicKey, .privateKey, .secretKey] {
                    let found = try session.find(.named(objectClass, Template.newID()))
                    #expect(found.isEmpty)
                }
            }
        }

        @Test func `A data object is made, read by another session, and destroyed`() throws {
            try Bench.loggedIn { token in
                var template = Template()
                template.set(.data)
                template.set(.token, true)
                template.set(.private, true)
                template.set(.label, "keyfob contract")
                template.set(.application, "keyfob")
                template.set(.value, [1, 2, 3])
                let makes = try Bench.does {
                    let session = try token.openSession(readWrite: true)
                    let object = try session.createObject(template)
                    let value = try token.withSession { (other) throws(PKCS11Error) in
                        try other.bytes(of: object, .value)
                    }
                    #expect(value == [1, 2, 3])
                    try session.destroyObject(object)
                    #expect(try session.find(template.without(.value)).isEmpty)
                }
                keep(.dataObject, Answer(makes))
            }
        }
    }
}
