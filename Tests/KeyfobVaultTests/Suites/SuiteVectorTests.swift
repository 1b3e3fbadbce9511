// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// Sealed forms that were written down: what is in stores has to stay readable.
///
/// They were made by another implementation of the primitives (pyca/cryptography 48); the keys are put into a token.
@Suite(.lendsTokens) struct SuiteVectorTests {
    private static let associatedData = Array("associated data".utf8)
    private static let secret = [UInt8](0..<32)

    private func hex(_ text: String) -> [UInt8] {
        let digits = text.compactMap { $0.hexDigitValue }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private func secretKey(
        _ type: KeyType, _ byte: UInt8, _ uses: [AttributeType], _ session: borrowing Session
    ) throws -> ObjectHandle {
        var template = Template()
        template.set(ObjectClass.secretKey)
        template.set(type)
        template.set(.token, false)
        template.set(.value, [UInt8](repeating: byte, count: 32))
        for usage in uses { template.set(usage, true) }
        return try session.createObject(template)
    }

    private func privateKey(_ type: KeyType, _ use: AttributeType) -> Template {
        var template = Template()
        template.set(ObjectClass.privateKey)
        template.set(type)
        template.set(.token, false)
        template.set(.sensitive, false)
        template.set(use, true)
        return template
    }

    @Test func `A sealed form of aes-cbc-hmac opens`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let session = try token.openSession(readWrite: false)
        let key = CBCHMACSealing(
            token, cipherKey: try secretKey(.aes, 0x11, [.encrypt, .decrypt], session),
            macKey: try secretKey(.genericSecret, 0x22, [.sign], session))
        let sealed = hex(
            """
            404142434445464748494a4b4c4d4e4f2f0b1d9a8ed471d952b10013874ef0626feb2b90bd847885fa207fce5e5c770b
            410d2f301d49bcee5cbcfaf8128e91128e3e0d48af4a46301e26bfb6c3abf53c
            """)
        #expect(key.open(sealed, Self.associatedData) == .secret(Self.secret))
    }

    @Test func `A sealed form of hmac-kdf opens`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let session = try token.openSession(readWrite: false)
        let key = HMACSealing(token, key: try secretKey(.genericSecret, 0x22, [.sign], session))
        let sealed = hex(
            """
            606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7fea950619e7c6ec24e0547fda0fdc034a
            a389c6b8b868677be6972064599d75527f5175094cdb6015f0bdf1d03d36586d
            """)
        #expect(key.open(sealed, Self.associatedData) == .secret(Self.secret))
    }

    /// The token's key is the initiator of RFC 5903 §8.1, the ephemeral one the responder.
    @Test func `A sealed form of ecdh-p256 opens`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let session = try token.openSession(readWrite: false)
        var template = privateKey(.ec, .derive)
        template.set(.ecParameters, P256Point.parameters)
        template.set(.value, hex("c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433"))
        let point = hex(
            """
            04dad0b65394221cf9b051e1feca5787d098dfe637fc90b9ef945d0c37725811805271a0461cdb8252d61f1c456fa3e5
            9ab1f45b33accf5f58389e0577b8990bb3
            """)
        let key = ECDHSealing(
            token, key: try session.createObject(template), publicKey: try #require(try P256PublicKey(point: point)))
        let sealed = hex(
            """
            04d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf6356fbf3ca366cc23e8157854c13c58d
            6aac23f046ada30f8353e74f33039872ab3e2a688b5ebf9a28d06b069eddc0ccb59989043f80fa5a784ec3188d1692bc
            27fdbdfeb9a834d2dd03fc2ad8d0e3e868
            """)
        #expect(key.open(sealed, Self.associatedData) == .secret(Self.secret))
    }

    /// SoftHSM has OAEP with SHA-1 only, so there is no such test of rsa-oaep-sha256.
    @Test func `A sealed form of rsa-oaep opens`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let session = try token.openSession(readWrite: false)
        let modulus = hex(
            """
            986e3e2b296fa1b238fcc508a2d0c183756ca67a5db680bdd9b2041d901f331a88248922e6492adf3269e94ae3563a06
            47a3ba7c1b3c9a8888e2b08611d386c819bc315f43d599932774190b4a1fd3f409f617832aaef5b8624a57707a645767
            394adafb7caa52e5c7aca0c2b1140292e5a155c02c6949e1bda28839f59c76874d4b497527165e1bc5a6cd2215055e50
            256a885e74171a86c84d6cc9eab5a0880cb19f7daee6b0bb5bfd5ecf1e5b3f7dc6a490d3df5d617de80ef7510bf5362c
            d813239d607cf9366871d780436aea02ea163bb3c7f0485adf24b700172e8a15acf52faa2477b4b0b91cdda0baec5baf
            3a1fc5beda6a2d69e34bc44619cebeb1
            """)
        var template = privateKey(.rsa, .decrypt)
        template.set(.modulus, modulus)
        template.set(.publicExponent, [1, 0, 1])
        // CKA_PRIVATE_EXPONENT to CKA_COEFFICIENT.
        for (number, value) in Self.privateNumbers.enumerated() {
            template.set(AttributeType(rawValue: 0x123 + UInt(number)), hex(value))
        }
        let key = RSASealing(
            token, key: try session.createObject(template),
            publicKey: RSAPublicKey(modulus: modulus, exponent: [1, 0, 1]), .sha1)
        let sealed = hex(
            """
            6f03d5dab8d1cf5d9edefe0a8bbb941205b7b6fef4ac88d773e40f3671a40ea5fb2ba17886de6463514927c71af98fbe
            bbde0fd7d301d2a701d7f48e6ef4d8fda9cdccc016c5a357aa592fcdfc7ecdf489a3df22ecd443579b97c716f55e9df7
            02572c04629960265f28add25e0d88e432d5fe868554fff1cabf8d08d593db9a2d15645b3214ed762e8020a0383df053
            3167fa8ca32d4a59575d5493e5ce5f8d103fc0d33fe2989a8f15d4b14b8f96855aef9a56d056a39f6301d9ffe0021e96
            a018873ae2d0aa41066df9df04b43b42769696f7512fcc400b2e11f85c69fcb4d6be5efcfb010c00ba3f9618f1bd0455
            d126d6325859d4e3f7d72225fb2c8ceb51e1faac0c69852990db66e115d1188f53a909de4d6585e4162e173fe98ab1cc
            4aafa38fe85835a18e7bab2a300655c5
            """)
        #expect(key.open(sealed, Self.associatedData) == .secret(Self.secret))
    }

    /// Private exponent, primes, exponents, coefficient of a key that is for this test alone.
    private static let privateNumbers = [
        """
        01d33896f6559c0654f2b856799215ae11f3eb849dae81a93c43fa9302caafd7448be8f130380e2d8ad64c2cf98ebace
        4051765a35ee866465fcae5bc596fe7733012f0766a9d61f561ea88ddb3ce93213e4349cfd3fe7e8e5b2e18c03082468
        83cde8d42fe67f6c794500ae021624ef7eb4bd40ca3b56bf4f60a4c04a67bd9ecd7be4431471b32ad3db8f10f7b6e3d5
        5c3f729ff53f55760fa686ace31b4a312262f4d92f575cabfd09d15dbfd3245000e5bfac864b2f7629f0cb5d5a6c3688
        f42d330cf5d69258d28d5cb55d2fa7e114d9d41bc1cab1385d762d8472b237f6572f971a504c1a09220f71a37369f309
        98030479ca554e187d31584aab9727a1
        """,
        """
        d65aa0778851c5e8b8aef31e34ed12378ebf31f26a4645daa4efabc09c8c1b95e7fa622544e50c4bebf59e2e75f08215
        5c54cfc1b9887b39eb7ef83310201096ca57a067e5e57f542cc2f2cb9e7931afa1ca7435dc3eaad74c309602abd6ae7d
        86ac29e8690535e094a5ded3d8b64cc9a38c0844ba2fd1c6ae85e13d9e5dd761
        """,
        """
        b60bb82665088a149455e5625fd347ea7ae0f6fc47b4fdbb5fc1121db4a075dc864628f85ad21bb9fa22bd52a4bdce4e
        05de47844d9b122763f9a94eb44d61b94cf41a5f0266a46426f27bd368278236b3a3b1ee8c62c31d85c47bced6e36b1a
        2bbb4c22749e5e5b50c9e0ccbe851b575992e8808793580e09e7d77cbec93951
        """,
        """
        54bb4a4735d9ad33cb1d4cf919cec4aeb57c9a8fcab6b09237348e5dfb03df3ba8916f0e7067622ef8bd04a434f6b755
        1e446043a1c5738077b89f000055cc78eecf2897296748a7cb71dc6be4dedf671fbb59a898c124e32a38e27377ddcae7
        cfbe6a6a76691add05a573a9a63699aff3383d647d7cbd9d9e0b49f8038bf0c1
        """,
        """
        26465282680da2926f199c2fd1bbe74bea67f025dca1b613362faeb2662eb2791a161839174743a3176f4464e2d43153
        0032dad07b4c964587e48eef484358bf8fe966be01103992010a4c74875a7f2b271bcca63e07e9c40442ea50f3a73ef6
        72a95f79831164ff47fe19f09242041c9a6da3ca9a36a575d629538a1bc6ccf1
        """,
        """
        8e6803d8f842a6f5f904f21df9d826b18db99af5207a9b98816f18a39e8aedfb7ec92e4b5e4bb910b5d53ad4458186f4
        9cf3cd18bfae87325178a6939cd380f3fa80005cd3333520ed3fa9b637c8601d6a4163ce31b0ae60933f99421d9aef83
        7ac051be21555e5c2fa6d39458ca0cb36c588585d491356f04c0bb653712b6ff
        """,
    ]
}
