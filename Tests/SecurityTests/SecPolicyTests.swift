// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security
internal import Testing

@Suite struct SecPolicyTests {
    private func properties(_ policy: SecPolicy) -> [String: Any] {
        SecPolicyCopyProperties(policy) as? [String: Any] ?? [:]
    }

    @Test func `A policy says which it is`() {
        #expect(properties(SecPolicyCreateBasicX509())["SecPolicyOid"] as? String == "1.2.840.113635.100.1.2")
        #expect(properties(SecPolicyCreateSSL(true, nil))["SecPolicyOid"] as? String == "1.2.840.113635.100.1.3")
    }

    @Test func `A policy for TLS says whose name it wants`() {
        let server = properties(SecPolicyCreateSSL(true, "shop.example"))
        #expect(server["SecPolicyName"] as? String == "shop.example" && server["SecPolicyClient"] == nil)
        #expect(properties(SecPolicyCreateSSL(false, nil))["SecPolicyClient"] as? Bool == true)
    }

    @Test func `Policies with the same rules are equal`() {
        #expect(SecPolicyCreateBasicX509() == SecPolicyCreateBasicX509())
        #expect(SecPolicyCreateSSL(true, "a") == SecPolicyCreateSSL(true, "a"))
        #expect(SecPolicyCreateSSL(true, "a") != SecPolicyCreateSSL(true, "b"))
        #expect(SecPolicyCreateSSL(true, nil) != SecPolicyCreateSSL(false, nil))
        #expect(SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod) != SecPolicyCreateBasicX509())
    }

    @Test func `A policy of other properties cannot be made`() {
        #expect(SecPolicyCreateWithProperties(kSecPolicyAppleTimeStamping, nil) == nil)
    }

    @Test func `Padding numbers are Apple's`() {
        #expect(SecPadding.PKCS1.rawValue == 1 && SecPadding.OAEP.rawValue == 2 && SecPadding().rawValue == 0)
        #expect(SecPadding.sigRaw.rawValue == 0x4000 && SecPadding.PKCS1SHA1.rawValue == 0x8002)
        #expect(SecPadding.PKCS1SHA512.rawValue == 0x8006)
    }

    @Test func `The parameters of a key exchange are named`() {
        #expect(SecKeyKeyExchangeParameter.requestedSize.rawValue == "requestedSize")
        #expect(SecKeyKeyExchangeParameter(rawValue: "sharedInfo") == .sharedInfo)
    }
}
