// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobModel
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct ClosedKeychainTests {
    @Test func `A closed keychain does not log in to the token again`() throws {
        let keychain = try TestKeychain().unlocked()
        keychain.engine.close()
        let logins = keychain.engine.tokenCalls["C_Login"]
        #expect(code { try keychain.unlocked() } == .notAvailable)
        #expect(keychain.engine.tokenCalls["C_Login"] == logins)
        #expect(keychain.engine.lockState == .beforeFirstUnlock)
    }

    @Test func `Calls on a closed keychain are told that it is not available`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        try service.add("mail", accessible: .always)
        keychain.engine.close()
        #expect(code { _ = try service.value("mail") } == .notAvailable)
        #expect(code { try service.add("news", accessible: .always) } == .notAvailable)
    }

    @Test func `A keychain that is closed while threads use it fails them in order`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        let working = Background { () -> [KeychainError.Code] in
            var codes: [KeychainError.Code] = []
            for number in 0..<10_000 {
                let failed = code { try service.add("mail", account: "\(number)") }
                if let failed { codes.append(failed) }
                if codes.count > 10 { break }
            }
            return codes
        }
        keychain.engine.close()
        let codes = try working.value()
        #expect(!codes.isEmpty)
        #expect(Set(codes).isSubset(of: [.notAvailable, .interactionNotAllowed]))
    }
}
