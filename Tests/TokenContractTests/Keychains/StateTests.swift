// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobModel
import KeyfobTestSupport
import Testing

extension TokenContract {
    /// The table of docs/states.md on a real token: what each call on an item of each class says in each state.
    @Suite struct StateTests {
        /// How a keychain comes to a state, from unlocked.
        enum Stage: String, CaseIterable {
            case unlocked
            case locked
            case unlockedAgain
            case reopened
            case reopenedAndLocked

            var state: LockState {
                switch self {
                case .unlocked, .unlockedAgain: .unlocked
                case .locked, .reopenedAndLocked: .locked
                case .reopened: .beforeFirstUnlock
                }
            }

            func reach(_ keychain: TokenKeychain) throws {
                switch self {
                case .unlocked: break
                case .locked: try keychain.engine.lock()
                case .unlockedAgain:
                    try keychain.engine.lock()
                    try keychain.unlock()
                case .reopened: try keychain.reopen()
                case .reopenedAndLocked:
                    try keychain.reopen()
                    try keychain.unlock()
                    try keychain.engine.lock()
                }
                #expect(keychain.engine.lockState == state)
            }
        }

        /// What a call must say; nil: it works.
        private func expected(
            _ call: KeychainCall, _ accessible: Accessibility, _ state: LockState, _ promise: KeychainPromises
        ) -> KeychainError.Code? {
            guard promise.findsBeforeFirstUnlock || state != .beforeFirstUnlock else { return .interactionNotAllowed }
            if call == .delete || state.allows(promise.availability(accessible)) { return nil }
            return .interactionNotAllowed
        }

        @Test(arguments: Stage.allCases)
        func `Every call on every class says what the state table says`(stage: Stage) throws {
            try TokenKeychain.with { keychain in
                let promise = try #require(KeychainPromises.current)
                try keychain.unlock()
                for accessible in Accessibility.allCases {
                    for call in KeychainCall.allCases { try call.prepare(keychain.service, accessible) }
                }
                try stage.reach(keychain)
                for accessible in Accessibility.allCases {
                    for call in KeychainCall.allCases {
                        let said = code { try call.make(keychain.service, accessible) }
                        #expect(
                            said == expected(call, accessible, stage.state, promise),
                            "\(call.name(accessible)), \(stage)")
                    }
                }
            }
        }

        @Test func `A keychain that nobody has unlocked yet refuses what it has no key for`() throws {
            try TokenKeychain.with { keychain in
                let promise = try #require(KeychainPromises.current)
                #expect(keychain.engine.lockState == .beforeFirstUnlock)
                for accessible in Accessibility.allCases {
                    let said = code { try KeychainCall.add.make(keychain.service, accessible) }
                    #expect(
                        said == expected(.add, accessible, .beforeFirstUnlock, promise),
                        "\(accessible.code)")
                }
            }
        }

        @Test func `Values are there again, byte by byte, after the keychain was closed`() throws {
            try TokenKeychain.with { keychain in
                try keychain.unlock()
                let values = Dictionary(
                    uniqueKeysWithValues: Accessibility.allCases.map {
                        ($0, (0..<1_000).map { _ in UInt8.random(in: 0 ... .max) })
                    })
                for (accessible, value) in values {
                    try KeychainCall.add(keychain.service, accessible.code, accessible, value: value)
                }
                try keychain.reopen()
                try keychain.unlock()
                for (accessible, value) in values {
                    #expect(try KeychainCall.value(keychain.service, accessible.code) == value)
                }
            }
        }

        @Test func `After each lock the token refuses the old handles and finds no key of a locked class`() throws {
            try TokenKeychain.with { keychain in
                for _ in 1...2 {
                    try keychain.unlock()
                    // Every key is at work.
                    for accessible in Accessibility.allCases {
                        try KeychainCall.add(keychain.service, accessible.code, accessible)
                    }
                    let witness = try KeyWitness(keychain)
                    #expect(witness.remembered == ["ak", "aku", "akpu"])
                    try keychain.engine.lock()
                    #expect(try witness.found() == [])
                    #expect(try witness.accepted() == [])
                    for accessible in Accessibility.allCases {
                        try keychain.service.delete(DeleteRequest(KeychainCall.query(accessible.code)))
                    }
                }
            }
        }
    }
}
