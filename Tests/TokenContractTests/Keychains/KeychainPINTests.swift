// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

extension TokenContract {
    /// PINs that go through a keychain.
    @Suite struct KeychainPINTests {
        private func logins(_ keychain: TokenKeychain) -> Int { keychain.engine.tokenCalls["C_Login"] ?? 0 }

        @Test func `A wrong PIN costs one try, and the right one works after it`() throws {
            try TokenKeychain.with { keychain in
                let before = logins(keychain)
                let wrong = code { try keychain.engine.unlock(TestToken.shared.wrongPIN()) }
                #expect(wrong == .pinIncorrect)
                #expect(logins(keychain) == before + 1)
                #expect(keychain.engine.lockState == .beforeFirstUnlock)
                try keychain.unlock()
                #expect(logins(keychain) == before + 2)
                #expect(keychain.engine.lockState == .unlocked)
            }
        }

        @Test(arguments: [false, true])
        func `A PIN is changed, and every item stays`(unlocked: Bool) throws {
            try TokenKeychain.with { keychain in
                try keychain.unlock()
                try KeychainCall.add(keychain.service, "mail")
                if !unlocked { try keychain.engine.lock() }
                let other = try TestToken.shared.wrongPIN()
                try keychain.engine.changePIN(from: TestToken.shared.pin(), to: other)
                let result = Result {
                    #expect(keychain.engine.lockState == (unlocked ? .unlocked : .locked))
                    if unlocked { try keychain.engine.lock() }
                    try keychain.engine.unlock(other)
                    #expect(try KeychainCall.value(keychain.service, "mail") == [1, 2, 3])
                }
                // The other tests know no other PIN.
                try keychain.engine.changePIN(from: other, to: TestToken.shared.pin())
                try result.get()
            }
        }

        @Test func `The security officer sets a PIN, and what was to last as long as the old one is gone`() throws {
            try TokenKeychain.with { keychain in
                try keychain.unlock()
                for accessible in Accessibility.allCases {
                    try KeychainCall.add(keychain.service, accessible.code, accessible)
                }
                try keychain.engine.lock()
                let said = code {
                    try keychain.engine.unblock(
                        TestToken.shared.pin(), securityOfficerPIN: TestToken.shared.soPIN(), destroying: 1)
                }
                guard TokenPromises.expected(.unlocking) == .yes else {
                    #expect(said != nil)
                    try keychain.unlock()
                    #expect(try KeychainCall.value(keychain.service, "akpu") == [1, 2, 3])
                    return
                }
                #expect(said == nil)
                #expect(keychain.engine.lockState == .locked)
                try keychain.unlock()
                for accessible in Accessibility.allCases where accessible != .whenPasscodeSetThisDeviceOnly {
                    #expect(try KeychainCall.value(keychain.service, accessible.code) == [1, 2, 3])
                }
                #expect(code { _ = try KeychainCall.value(keychain.service, "akpu") } == .itemNotFound)
                try KeychainCall.add(keychain.service, "akpu", .whenPasscodeSetThisDeviceOnly)
                #expect(try KeychainCall.value(keychain.service, "akpu") == [1, 2, 3])
            }
        }
    }
}
