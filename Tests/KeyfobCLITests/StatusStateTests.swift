// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCLI
internal import KeyfobModel
internal import KeyfobWords
internal import Synchronization
internal import Testing

/// Each state of docs/states.md as `keyfob status` shows it: the state, why it is so, what to do next.
struct StatusStateTests {
    /// One state, and what is said of it.
    struct Sample: Sendable, CustomTestStringConvertible {
        let state: String
        let reason: String?
        let next: String?
        /// How a person reads it: lines that follow one another.
        let lines: [String]
        let bring: @Sendable (inout FakeKeychain.State) -> Void

        var testDescription: String { lines[0] }
    }

    private static let opened = "nobody has logged in since the keychain was opened or its token came back"
    private static let refused = "too many wrong PINs: the token takes none any more"
    private static let unblock = "the token's security officer has to set a new PIN: keyfob token unblock"
    private static let noPIN = "the token has no user PIN: nobody can log in"
    private static let unlock = "keyfob unlock unlocks it"

    static let samples = [
        Sample(
            state: "no token", reason: "the token was not found: pkcs11:token=work",
            next: "insert the token, or start what serves it, and try again",
            lines: [
                "state     no token", "reason    the token was not found: pkcs11:token=work",
                "next      insert the token, or start what serves it, and try again", "items     0",
            ]
        ) {
            $0.absence = KeychainError(
                .tokenNotFound, .open, subject: .tokenURI("pkcs11:token=work"), remedy: .insertToken)
        },
        Sample(
            state: "no token",
            reason: "the token or its class key is not there: C_GetTokenInfo: CKR_DEVICE_REMOVED (0x32)",
            next: "insert the token, or start what serves it, and try again",
            lines: [
                "state     no token",
                "reason    the token or its class key is not there: C_GetTokenInfo: CKR_DEVICE_REMOVED (0x32)",
            ]
        ) {
            $0.isUnlocked = true
            $0.absence = KeychainError(
                .notAvailable, .status, cause: .pkcs11(function: "C_GetTokenInfo", returnValue: 0x32))
        },
        Sample(
            state: "before first unlock", reason: opened, next: unlock,
            lines: ["state     before first unlock", "reason    \(opened)", "next      \(unlock)", "items     0"]
        ) { _ in },
        Sample(
            state: "unlocked", reason: nil, next: nil, lines: ["state     unlocked", "items     0"]
        ) { $0.isUnlocked = true },
        Sample(
            state: "unlocked", reason: nil, next: nil,
            lines: ["state      unlocked", "PIN tries  none", "items      0"]
        ) {
            $0.isUnlocked = true
            $0.triesLeft = .none
        },
        Sample(
            state: "locked", reason: "on request", next: unlock,
            lines: ["state      locked: on request", "locked at  2001-01-02T00:00:00Z; \(unlock)", "items      0"]
        ) { $0.lastLock = LastLock(.explicit, time: 86400) },
        Sample(
            state: "PIN blocked", reason: refused, next: unblock,
            lines: [
                "state      PIN blocked", "reason     \(refused)", "next       \(unblock)", "PIN tries  none",
                "items      0",
            ]
        ) { $0.triesLeft = .none },
        Sample(
            state: "PIN blocked", reason: refused, next: unblock,
            lines: ["state      PIN blocked", "reason     \(refused)", "next       \(unblock)", "PIN tries  none"]
        ) {
            $0.lastLock = LastLock(.idle, time: 86400)
            $0.triesLeft = .none
        },
        Sample(
            state: "no user PIN", reason: noPIN, next: unblock,
            lines: ["state     no user PIN", "reason    \(noPIN)", "next      \(unblock)", "items     0"]
        ) { $0.lacksUserPIN = true },
        Sample(
            state: "no user PIN", reason: noPIN, next: unblock,
            lines: ["state      no user PIN", "reason     \(noPIN)", "next       \(unblock)", "PIN tries  none"]
        ) {
            $0.lastLock = LastLock(.tokenUnblock, time: 86400)
            $0.triesLeft = .none
            $0.lacksUserPIN = true
        },
        Sample(
            state: "unlocked", reason: nil, next: nil, lines: ["state     unlocked", "items     0"]
        ) {
            $0.isUnlocked = true
            $0.lacksUserPIN = true
        },
    ]

    @Test(arguments: samples)
    func `Status shows the state, why it is so and what to do next`(sample: Sample) {
        let fake = FakeAccess()
        fake.keychain.state.withLock { sample.bring(&$0) }
        let run = Transcript(["status"], on: fake)
        #expect(run.text.contains("\n" + sample.lines.joined(separator: "\n") + "\n"), "\(run.text)")
        #expect(run.status == .success)
        if sample.next == nil { #expect(!run.text.contains("\nnext ")) }
        if sample.reason == nil { #expect(!run.text.contains("\nreason ")) }
    }

    @Test func `Status shows what item keys are kept, and by how many reads they were used`() throws {
        let fake = FakeAccess()
        let limit = try #require(ItemKeyCacheLimit(keys: 256, seconds: 60))
        fake.keychain.state.withLock {
            $0.itemKeyCache = ItemKeyCacheStatus(limit: limit, held: 7, hits: 40, misses: 9)
        }
        let line = "item keys  7 of at most 256 in memory, each for 60 s; 40 of 49 reads without the token\n"
        #expect(Transcript(["status"], on: fake).text.contains(line))
        let json = "\"itemKeyCache\": {\"keys\": 256, \"seconds\": 60, \"held\": 7, \"hits\": 40, \"misses\": 9}"
        #expect(Transcript(["status", "--json"], on: fake).text.contains(json))
    }

    @Test func `Status says nothing of item keys where none are kept, and null in JSON`() {
        #expect(!Transcript(["status"], on: FakeAccess()).text.contains("item keys"))
        #expect(Transcript(["status", "--json"], on: FakeAccess()).text.contains("\"itemKeyCache\": null"))
    }

    @Test(arguments: samples)
    func `Status in JSON has the state, the reason and the next step`(sample: Sample) {
        let fake = FakeAccess()
        fake.keychain.state.withLock { sample.bring(&$0) }
        let text = Transcript(["status", "--json"], on: fake).text
        let quoted = { (text: String?) in text.map { "\"\($0)\"" } ?? "null" }
        let expected =
            "\"state\": \"\(sample.state)\", \"reason\": \(quoted(sample.reason)), \"nextStep\": \(quoted(sample.next)), "
        #expect(text.contains(expected), "\(text)")
    }
}
