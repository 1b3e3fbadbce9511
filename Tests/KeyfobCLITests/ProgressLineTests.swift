// SPDX-License-Identifier: Apache-2.0
import KeyfobPlatform
import Testing

@testable import KeyfobCLI

struct ProgressLineTests {
    private func at(_ milliseconds: UInt64) -> Moment { Moment(nanoseconds: milliseconds * 1_000_000) }

    private var line = ProgressLine("opening items", start: Moment(nanoseconds: 0))

    @Test mutating func `What is over within half a second is worth no line`() {
        for time in 0..<5 as Range<UInt64> { #expect(line.text(Int(time), of: 9, now: at(time * 100)) == nil) }
        #expect(line.end == nil)
    }

    @Test mutating func `After half a second it says how far it is`() {
        #expect(line.text(3, of: 9, now: at(500)) == "\ropening items: 3 of 9\u{1B}[K")
        #expect(line.end == "\r\u{1B}[K")
    }

    @Test mutating func `It is written ten times a second at most`() {
        let written = (0..<2000 as Range<UInt64>).count { line.text(Int($0), of: 5000, now: at($0)) != nil }
        #expect(written == 15)
    }

    @Test mutating func `All of it done is no line`() {
        #expect(line.text(9, of: 9, now: at(700)) == nil)
        #expect(line.end == nil)
    }
}
