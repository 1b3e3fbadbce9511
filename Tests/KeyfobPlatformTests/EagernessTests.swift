// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import Testing

@testable import KeyfobPlatform

@Suite struct EagernessTests {
    /// How often `eagerness` asks before it gives up on what never comes.
    private func looks(_ eagerness: inout Eagerness) -> Int {
        var count = 0
        let found: Int? = eagerness.seek {
            count += 1
            return nil
        }
        #expect(found == nil)
        return count
    }

    @Test func `What is there already is found at the first look`() {
        var eagerness = Eagerness(mayLook: true)
        var count = 0
        let found: Int? = eagerness.seek {
            count += 1
            return 7
        }
        #expect(found == 7)
        #expect(count == 1)
    }

    @Test func `It looks until what is awaited comes`() {
        var eagerness = Eagerness(mayLook: true)
        var count = 0
        let found: Int? = eagerness.seek {
            count += 1
            return count == 3 ? count : nil
        }
        #expect(found == 3)
    }

    @Test func `After a look in vain the next waits are slept through, then it looks again`() {
        var eagerness = Eagerness(mayLook: true)
        #expect(looks(&eagerness) > 0)
        for _ in 0..<Eagerness.pause { #expect(looks(&eagerness) == 0) }
        #expect(looks(&eagerness) > 0)
    }

    @Test func `A look in vain ends soon after its limit`() {
        var eagerness = Eagerness(mayLook: true)
        let start = Moment.now
        _ = looks(&eagerness)
        #expect(start.duration(to: .now) >= Eagerness.limit)
    }

    @Test func `Without a second processor it never looks`() {
        var eagerness = Eagerness(mayLook: false)
        #expect(looks(&eagerness) == 0)
    }

    @Test func `A failed look is thrown and is no look in vain`() {
        var eagerness = Eagerness(mayLook: true)
        #expect(throws: PosixError(call: "recv", errno: 104)) {
            _ = try eagerness.seek { () throws(PosixError) -> Int? in throw PosixError(call: "recv", errno: 104) }
        }
        #expect(looks(&eagerness) > 0)
    }

    @Test func `A socket that blocks gives at once what came, and the end of the stream`() throws {
        let pair = try UnixSocket.pair()
        var eagerness = Eagerness(mayLook: true)
        var bytes = try SecretBytes(count: 16)
        unsafe try pair.left.send([1, 2, 3 as UInt8].span.bytes)
        #expect(try pair.right.receive(into: &bytes, at: 4, &eagerness) == 3)
        #expect(
            bytes.withBytes { unsafe $0.withUnsafeBytes { unsafe Array($0) } } == [0, 0, 0, 0, 1, 2, 3]
                + Array(repeating: 0, count: 9))
        pair.left.shutDownSending()
        #expect(try pair.right.receive(into: &bytes, at: 0, &eagerness) == 0)
    }

    @Test func `A socket that blocks waits on after the looks, as long as its timeout says`() throws {
        let pair = try UnixSocket.pair()
        try pair.right.setTimeouts(receive: .milliseconds(20), send: nil)
        var eagerness = Eagerness(mayLook: true)
        var bytes = try SecretBytes(count: 16)
        let start = Moment.now
        #expect(try pair.right.receive(into: &bytes, at: 0, &eagerness) == nil)
        #expect(start.duration(to: .now) >= .milliseconds(19))
    }
}
