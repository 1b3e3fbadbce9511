// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import KeyfobPKCS11

@Suite struct GCMParametersTests {
    private static func words(aad: [UInt8], _ variant: GCMVariant) -> (words: [UInt], iv: UInt, aad: UInt) {
        let iv = [UInt8](repeating: 1, count: 12)
        return unsafe iv.withUnsafeBytes { iv in
            unsafe aad.withUnsafeBytes { aad in
                let parameters = unsafe GCMParameters(iv: iv, aad: aad, tagBits: 128, variant)
                let all = unsafe withUnsafeBytes(of: parameters.words) { unsafe Array($0.bindMemory(to: UInt.self)) }
                return (
                    Array(all.prefix(parameters.count)), UInt(bitPattern: iv.baseAddress),
                    UInt(bitPattern: aad.baseAddress)
                )
            }
        }
    }

    @Test func `Six fields hold the length of the nonce in bytes and in bits`() {
        let (words, iv, aad) = Self.words(aad: [1, 2, 3], .withIVBits)
        #expect(words == [iv, 12, 96, aad, 3, 128])
    }

    @Test func `Five fields lack the bits`() {
        let (words, iv, aad) = Self.words(aad: [1, 2, 3], .withoutIVBits)
        #expect(words == [iv, 12, aad, 3, 128])
    }

    @Test(arguments: GCMVariant.allCases)
    func `Empty associated data has no address`(_ variant: GCMVariant) {
        let (words, iv, _) = Self.words(aad: [], variant)
        #expect(words.filter { $0 == 0 }.count == 2)
        #expect(words.first == iv)
        #expect(words.last == 128)
    }
}
