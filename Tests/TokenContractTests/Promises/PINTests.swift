// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

extension TokenContract {
    /// What a PIN costs, and what a token tells of it.
    @Suite struct PINTests {
        @Test func `A wrong PIN is sent once, and the token tells what is left`() throws {
            try Bench.loggedOut { token in
                let failed = Bench.failure { try token.login(try TestToken.shared.wrongPIN()) }
                #expect(failed?.returnValue == .pinIncorrect)
                #expect(token.calls.calls(of: .login) == 1)
                #expect(!token.isLoggedIn)
                keep(.afterWrongPIN, Answer(rawValue: "\(try token.info().triesLeft)"))
                // A good login ends the counting, but on a TPM.
                try token.login(try TestToken.shared.pin())
                #expect(token.calls.calls(of: .login) == 2)
                #expect(try token.info().triesLeft == .unknown)
            }
        }

        @Test func `A PIN of a length that the token does not take never reaches it`() throws {
            try Bench.loggedOut { token in
                let info = try token.info()
                keep(.lengths, Answer(rawValue: "\(info.minPINLength)...\(info.maxPINLength)"))
                for length in [info.minPINLength - 1, info.maxPINLength + 1] where length >= 0 {
                    let pin = try SecretBytes(copying: [UInt8](repeating: 0x30, count: length))
                    let failed = Bench.failure { try token.login(pin) }
                    #expect(
                        failed?.fault
                            == .pinNotTried(.length(minimum: info.minPINLength, maximum: info.maxPINLength)))
                }
                #expect(token.calls.calls(of: .login) == 0)
            }
        }

        @Test func `A PIN with a NUL never reaches the token`() throws {
            try Bench.loggedOut { token in
                let pin = try SecretBytes(copying: [0x31, 0x32, 0x33, 0x34, 0x00, 0x35])
                #expect(Bench.failure { try token.login(pin) }?.fault == .pinNotTried(.zeroByte))
                #expect(token.calls.calls(of: .login) == 0)
            }
        }

        @Test func `A token locks after as many wrong PINs as it is known to, and the SO opens it again`() throws {
            guard TokenPromises.expected(.locking) != .notTried else {
                keep(.locking, .notTried)
                return
            }
            try Bench.loggedOut { token in
                var sent = 0
                while sent < 5, try token.info().triesLeft != .none {
                    if try token.info().triesLeft == .one {
                        // The last try is not spent but on demand.
                        let kept = Bench.failure { try token.login(try TestToken.shared.wrongPIN()) }
                        #expect(kept?.fault == .pinNotTried(.finalTry))
                    }
                    let failed = Bench.failure { try token.login(try TestToken.shared.wrongPIN(), finalTry: true) }
                    #expect(failed?.returnValue == .pinIncorrect || failed?.returnValue == .pinLocked)
                    sent += 1
                }
                #expect(token.calls.calls(of: .login) == sent)
                let isLocked = try token.info().triesLeft == .none
                keep(.locking, isLocked ? Answer(rawValue: "\(sent)") : "never")
                guard isLocked else {
                    try token.login(try TestToken.shared.pin())
                    return
                }
                let refused = Bench.failure { try token.login(try TestToken.shared.pin(), finalTry: true) }
                #expect(refused?.fault == .pinNotTried(.locked))
                #expect(token.calls.calls(of: .login) == sent)
                try token.initializePIN(try TestToken.shared.pin(), soPIN: try TestToken.shared.soPIN())
                try token.login(try TestToken.shared.pin())
                #expect(try token.info().triesLeft == .unknown)
            }
        }

        @Test func `The SO sets a new PIN, and private keys stay usable`() throws {
            guard TokenPromises.expected(.unlocking) == .yes else {
                // NSS knows no SO once there is a PIN, and a card's is another thing.
                keep(.unlocking, .no)
                return
            }
            try Bench.loggedIn { token in
                try PrivateKey.with(on: token) { _, key in
                    try token.initializePIN(try TestToken.shared.pin(), soPIN: try TestToken.shared.soPIN())
                    #expect(!token.isLoggedIn)
                    try token.login(try TestToken.shared.pin())
                    let opens = try token.withSession { (session) throws(PKCS11Error) in
                        try key.opens(session, with: try key.found(session))
                    }
                    keep(.unlocking, Answer(opens))
                }
            }
        }
    }
}
