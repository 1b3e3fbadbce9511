// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobPlatform
import Testing

struct WallClockTests {
    @Test func `Now is between two readings of the system's clock`() {
        // 2001-01-01T00:00:00Z is 11323 days after 1970-01-01T00:00:00Z.
        let offset = 11323 * 86400
        let before = time(nil) - offset
        let now = WallClock.now()
        let after = time(nil) - offset
        #expect(Double(before) <= now)
        #expect(now < Double(after + 1))
    }
}
