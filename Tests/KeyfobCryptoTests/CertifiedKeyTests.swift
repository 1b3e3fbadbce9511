// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobCrypto
import Testing

/// Certificates made with `openssl req -x509`, and what openssl says their keys are.
@Suite struct CertifiedKeyTests {
    private static let p256 =
        "MIIBbDCCAROgAwIBAgIUYjngtt8MI3qR4lAbRVYNs78wYawwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBdDAeFw0yNjExMzAx"
        + "MzM1MzJaFw0zNjExMjcxMzM1MzJaMAwxCjAIBgNVBAMMAXQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASejTnQO1TDfZLL"
        + "T7ana8r4wmwNtUvVZLtMy+Q1uQVktnfqMn+Vc61lBmfZaRbEw8zLCa6I2Wq9Lg3KlLHr8PeNo1MwUTAdBgNVHQ4EFgQU6AU9"
        + "FVxF/FNJaSyif3w/QiMQ7CowHwYDVR0jBBgwFoAU6AU9FVxF/FNJaSyif3w/QiMQ7CowDwYDVR0TAQH/BAUwAwEB/zAKBggq"
        + "hkjOPQQDAgNHADBEAiB2UtlcSAm/mqC84ynxnMsj4NP3DBB3AFPX3dxgexm9HgIgYaW/taIcMXsFKRT645NLJ/j9tzZ6nx8w"
        + "WbZY1/pv1K4="
    private static let p384 =
        "MIIBqjCCATCgAwIBAgIUTgpFANXK1eQwXC1TKU1toMTmNOkwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBdDAeFw0yNjExMzAx"
        + "MzM1MzNaFw0zNjExMjcxMzM1MzNaMAwxCjAIBgNVBAMMAXQwdjAQBgcqhkjOPQIBBgUrgQQAIgNiAASV5vzzUfYzf7eSOvhF"
        + "rWtnIWCcqYAOkozIv3v5gwTjsoTsG2ypsRaiRaNL0bLUHtJAvpOdezg9Fyi9iBsKa+r3V8bmN7cePfSCeYFOlQ10IGMu6UtS"
        + "uS+iJ2pRpqUY/X6jUzBRMB0GA1UdDgQWBBSAC0OQ7NnQIvpsLORmnloAVQrxjTAfBgNVHSMEGDAWgBSAC0OQ7NnQIvpsLORm"
        + "nloAVQrxjTAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA2gAMGUCMQCvD8+FsFss1oQqI5loYCYUCUd7BWFWojKNIvyf"
        + "Yqi8JbDba6B1bf8KtU84ril7780CMBOmoGeb2btUHknLRyH3bHfGWsgGlPZvngO4QytpRSZETeU9lV1etyoxsiwukInxJw=="
    private static let rsa =
        "MIIC+TCCAeGgAwIBAgIUM/eK30QzKZXZ6V+uYlsPl/98//kwDQYJKoZIhvcNAQELBQAwDDEKMAgGA1UEAwwBdDAeFw0yNjEx"
        + "MzAxMzM1MzNaFw0zNjExMjcxMzM1MzNaMAwxCjAIBgNVBAMMAXQwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQCV"
        + "D+11yQ0VFM10y4f0k9wm9se3d58rVCuu16UlHAD8onvrVTcUs/CDr9itQkZctdcks5wIAyqPmQWCoSc/v9YtWYW5Uy+LK9Us"
        + "vv5dTizlWNCl+F3T6ePELAc5OctGiiBNLRL9jluTUvHZ9125w6fPrhPe7ZgUqu2+C5Gir5tTR2jHtQFic2fZGugFAfaT0QYI"
        + "ke54O1zDd1FbpJmyPuaBAAp3rJZibm9ucpCrEzcOwCG+KCBK0x9P/S4sACjQ1SyoQnXPRxzoD5XR7CJMtGhI1KPowIpN21Xd"
        + "lAcxnXekiPrCtIqUWcWclLmV1tTIAHYA5FQKU7xKtYvx9fWBNGAxAgMBAAGjUzBRMB0GA1UdDgQWBBTwK1bcH4XiUV6JPn7+"
        + "gKhr8XZV8TAfBgNVHSMEGDAWgBTwK1bcH4XiUV6JPn7+gKhr8XZV8TAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUA"
        + "A4IBAQCK1k9hcy00NN7hfqJKuyOOEk3SV/7m/Hd3d7y/IpjvdudBKgJJtiVcKG+Pd0BkxoVheTrKw+3C9nV03CbJMv0+T6x2"
        + "it3pLpbEoMQbC0G0IXso35mQJ33yWu1qbgbx3Z/F14kvY03SuBmfwBu6yCgla9+CIVcoyH2EhGsen7qK0iPJ+FBWM7uwY700"
        + "+RZ0OkDd8VwKr33y569Sl/Z4v+EYS08MVNxlVqQX5Oj3CgurQJeWyNAD85NPb8Wu3BdQ/4oBlu19YlIKuOWJn5YnDMt5CdQD"
        + "8Oo6Ol80ZkGdHcUybjJcMVHax1zSGrICjDAdBW28pUSRSHTtVSvoqeIk81Wh"

    private func bytes(_ text: String) throws -> [UInt8] { Array(try #require(Data(base64Encoded: text))) }

    @Test func `The point of a P-256 certificate is read`() throws {
        guard case .p256(let key) = try CertifiedKey(certificate: bytes(Self.p256)) else {
            Issue.record("it is no key on P-256")
            return
        }
        #expect(key.point.starts(with: [0x04, 0x9E, 0x8D, 0x39, 0xD0, 0x3B, 0x54]))
        #expect(key.point.suffix(4).elementsEqual([0xEB, 0xF0, 0xF7, 0x8D]))
    }

    @Test func `The numbers of an RSA certificate are read`() throws {
        guard case .rsa(let key) = try CertifiedKey(certificate: bytes(Self.rsa)) else {
            Issue.record("it is no RSA key")
            return
        }
        #expect(key.modulus.count == 256 && key.exponent == [1, 0, 1])
        #expect(key.modulus.starts(with: [0x95, 0x0F, 0xED, 0x75]))
        #expect(key.modulus.suffix(4).elementsEqual([0x81, 0x34, 0x60, 0x31]))
    }

    @Test func `A certificate of another kind of key is none to seal to`() throws {
        #expect(try CertifiedKey(certificate: bytes(Self.p384)) == nil)
    }

    @Test func `Bytes that are no certificate, or are cut short, are none`() throws {
        let whole = try bytes(Self.p256)
        for count in [0, 1, 20, whole.count - 1] {
            #expect(try CertifiedKey(certificate: Array(whole.prefix(count))) == nil)
        }
        #expect(try CertifiedKey(certificate: [UInt8](repeating: 0x30, count: 400)) == nil)
    }
}
