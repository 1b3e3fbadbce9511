// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security
internal import Testing

@Suite struct ConstantTests {
    @Test func `Every string constant holds its characters`() {
        for (name, constant, value) in stringConstants {
            #expect(constant as String == value, "\(name)")
        }
    }

    @Test func `Every status code has its number`() {
        for (name, constant, number, _) in statusTable {
            #expect(constant == number, "\(name)")
        }
    }

    @Test func `Cryptographic status codes count down from -67585 without a gap`() {
        #expect(errSecServiceNotAvailable == -67585)
        #expect(errSecInvalidRecord == -67701)
        #expect(errSecUnsupportedKeyLabel == -67741)
        #expect(errSecVerifyFailed == -67808)
        #expect(errSecNotTrusted == -67843)
        #expect(errSecMissingValue == -67871)
        #expect(errSecCertificateValidityPeriodTooLong == -67901)
    }

    @Test func `Names that a header misspelled keep both spellings`() {
        #expect(errSecInvaldCRLAuthority == errSecInvalidCRLAuthority)
        #expect(errSecInvalidTupleCredendtials == errSecInvalidTupleCredentials)
        #expect(errSecDskFull == errSecDiskFull)
        #expect(errSecUnsupportedOperation == errSecUnimplemented)
    }
}
