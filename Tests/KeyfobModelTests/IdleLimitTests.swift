// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import Testing

struct IdleLimitTests {
    @Test(arguments: [
        ("90s", 90), ("1s", 1), ("15m", 900), ("2h", 7200), ("1d", 86400), ("7d", 7 * 86400), ("604800s", 7 * 86400),
        ("60s", 60),
    ])
    func `A number and a unit is a time`(text: String, seconds: Int) {
        #expect(IdleLimit(text) == .seconds(seconds))
        #expect(IdleLimit(text)?.seconds == seconds)
    }

    @Test(arguments: [(0, false), (-1, false), (1, true), (604800, true), (604801, false), (.max, false)])
    func `A number of seconds is held to the same bounds`(seconds: Int, isGood: Bool) {
        #expect(IdleLimit(seconds: seconds) == (isGood ? .seconds(seconds) : nil))
    }

    @Test func `Never is no time`() {
        #expect(IdleLimit("never") == .never)
        #expect(IdleLimit.never.seconds == nil)
    }

    @Test(arguments: [
        "", "15", "m", "0m", "0s", "-1m", "+1m", "1.5h", "15 m", " 15m", "15M", "15min", "Never", "8d", "604801s",
        "169h", "9999999999s",
        "99999999999999999999d", "١٥m",
    ])
    func `Anything else is refused`(text: String) {
        #expect(IdleLimit(text) == nil)
    }

    @Test(arguments: [("60s", "1m"), ("90s", "90s"), ("24h", "1d"), ("120m", "2h"), ("never", "never")])
    func `It is written in the largest unit that fits`(given: String, written: String) {
        #expect(IdleLimit(given)?.text == written)
        #expect(IdleLimit(written) == IdleLimit(given))
    }

    @Test func `Each reason of a lock has a word and a number of its own, and is found by either`() {
        for reason in LockReason.allCases {
            #expect(LockReason(word: reason.word) == reason)
            #expect(LockReason(rawValue: reason.rawValue) == reason)
        }
        #expect(Set(LockReason.allCases.map(\.word)).count == LockReason.allCases.count)
        #expect(LockReason(word: "Idle") == nil)
    }

    @Test func `The numbers of the reasons are those of the protocol`() {
        #expect(
            LockReason.allCases.map { "\($0.rawValue) \($0.word)" } == [
                "1 explicit", "2 idle", "3 signal", "4 suspend", "5 token-removed", "6 daemon-end", "7 login-lost",
                "8 token-unblock",
            ])
    }
}
