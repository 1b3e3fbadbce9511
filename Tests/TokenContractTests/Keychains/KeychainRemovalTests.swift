// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobModel
import KeyfobTestSupport
import Testing

extension TokenContract {
    /// A token that goes away below a keychain, and is back.
    @Suite struct KeychainRemovalTests {
        @Test(arguments: [false, true])
        func `A token that goes takes everything along, and brings it back`(unlocked: Bool) throws {
            guard KeychainPromises.current?.loss != .never else {
                // A database that stays open: there is nothing to take away.
                #expect(TokenPromises.expected(.removed) == .notTried)
                return
            }
            try TokenKeychain.with { keychain in
                try keychain.unlock()
                for accessible in Accessibility.allCases {
                    try KeychainCall.add(keychain.service, accessible.code, accessible)
                }
                if !unlocked { try keychain.engine.lock() }
                // Two users of a module keep it from being started anew.
                TestToken.shared.letModuleGo()
                try TestToken.shared.pull()
                let away = Result { try look(keychain, unlocked: unlocked) }
                try TestToken.shared.insert()
                try away.get()
                try comesBack(keychain, unlocked: unlocked)
                try keychain.unlock()
                for accessible in Accessibility.allCases {
                    #expect(try KeychainCall.value(keychain.service, accessible.code) == [1, 2, 3])
                }
            }
        }

        /// While the token is away.
        private func look(_ keychain: TokenKeychain, unlocked: Bool) throws {
            keychain.engine.checkToken()
            guard KeychainPromises.current?.loss == .noticed else {
                #expect(keychain.engine.lockState == (unlocked ? .unlocked : .locked))
                #expect(try KeychainCall.value(keychain.service, "ck") == [1, 2, 3])
                #expect(code { try keychain.unlock() } == (unlocked ? nil : .tokenFailed))
                return
            }
            #expect(keychain.engine.lockState == .noToken)
            for accessible in Accessibility.allCases {
                let said = code { _ = try KeychainCall.value(keychain.service, accessible.code) }
                #expect(said == .notAvailable, "\(accessible.code)")
            }
            #expect(code { try keychain.unlock() } == .notAvailable)
        }

        /// When the token is there again.
        private func comesBack(_ keychain: TokenKeychain, unlocked: Bool) throws {
            guard KeychainPromises.current?.loss == .noticed else {
                #expect(keychain.engine.lockState == (unlocked ? .unlocked : .locked))
                return
            }
            // As a daemon looks for it.
            let isBack = eventually { () -> Bool in
                keychain.engine.checkToken()
                return keychain.engine.lockState != .noToken
            }
            #expect(isBack)
            #expect(keychain.engine.lockState == .beforeFirstUnlock)
            #expect(code { _ = try KeychainCall.value(keychain.service, "ak") } == .interactionNotAllowed)
        }
    }
}
