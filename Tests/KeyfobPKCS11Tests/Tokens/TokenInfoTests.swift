// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import KeyfobTestSupport
import Testing

@testable import KeyfobPKCS11

@Suite(.lendsTokens) struct TokenInfoTests {
    @Test func `Padding of blanks, NULs or both is removed`() {
        #expect(text((0x61, 0x20, 0x62, 0x20, 0x20) as (UInt8, UInt8, UInt8, UInt8, UInt8)) == "a b")
        #expect(text((0x61, 0x00, 0x00) as (UInt8, UInt8, UInt8)) == "a")
        #expect(text((0x61, 0x20, 0x00) as (UInt8, UInt8, UInt8)) == "a")
        #expect(text((0x20, 0x20) as (UInt8, UInt8)) == "")
    }

    @Test func `Bytes that are no text are replaced and not lost`() {
        #expect(text((0x61, 0xFF, 0x62) as (UInt8, UInt8, UInt8)) == "a\u{FFFD}b")
    }

    @Test(
        arguments: [
            (TokenFlags(), KeychainError.TriesLeft.unknown), (.userPINCountLow, .few), (.userPINFinalTry, .one),
            (.userPINLocked, .none), ([.userPINCountLow, .userPINFinalTry], .one),
            ([.userPINCountLow, .userPINFinalTry, .userPINLocked], .none), (.soPINLocked, .unknown),
        ] as [(TokenFlags, KeychainError.TriesLeft)])
    func `The flags tell the tries left of the user`(_ flags: TokenFlags, _ tries: KeychainError.TriesLeft) {
        #expect(TokenInfo.sample(flags: flags).triesLeft == tries)
    }

    @Test(
        arguments: [
            (TokenFlags(), KeychainError.TriesLeft.unknown), (.soPINCountLow, .few), (.soPINFinalTry, .one),
            (.soPINLocked, .none), (.userPINLocked, .unknown),
        ] as [(TokenFlags, KeychainError.TriesLeft)])
    func `The flags tell the tries left of the SO`(_ flags: TokenFlags, _ tries: KeychainError.TriesLeft) {
        #expect(TokenInfo.sample(flags: flags).soTriesLeft == tries)
    }

    @Test func `A PIN is as long as the token says`() {
        let info = TokenInfo.sample(pin: 4...8)
        #expect(!info.takesPIN(ofLength: 3))
        #expect(info.takesPIN(ofLength: 4))
        #expect(info.takesPIN(ofLength: 8))
        #expect(!info.takesPIN(ofLength: 9))
    }

    @Test func `A token that does not say takes PINs of any length`() {
        let info = TokenInfo.sample(pin: 0...0)
        #expect(info.takesPIN(ofLength: 0))
        #expect(info.takesPIN(ofLength: 1000))
    }

    @Test func `A real token says who it is`() throws {
        let made = try SoftHSMToken.make()
        let info = try made.open().info()
        #expect(info.label == made.label)
        #expect(info.manufacturer == "SoftHSM project")
        #expect(info.model == "SoftHSM v2")
        #expect(info.serial == made.uri.serial)
        #expect(info.flags.isSuperset(of: [.tokenInitialized, .userPINInitialized, .loginRequired]))
        #expect(info.minPINLength == 4)
        #expect(info.maxPINLength == 255)
        #expect(info.maxSessionCount == nil)
    }

    @Test func `A token without a user PIN says so`() throws {
        let info = try SoftHSMToken.make(withPIN: false).open().info()
        #expect(!info.flags.contains(.userPINInitialized))
    }
}
