// SPDX-License-Identifier: Apache-2.0
import KeyfobPlatform
import Testing

@testable import KeyfobDaemon

struct RequestQueueTests {
    private func at(_ nanoseconds: UInt64) -> Moment { Moment(nanoseconds: nanoseconds) }

    private func filled() -> RequestQueue<Int> {
        var queue = RequestQueue<Int>(limit: 8)
        queue.append(1, deadline: at(10), isSlow: true)
        queue.append(2, deadline: at(20), isSlow: false)
        queue.append(3, deadline: at(30), isSlow: true)
        queue.append(4, deadline: at(40), isSlow: false)
        return queue
    }

    @Test func `Who came first is served first`() {
        var queue = filled()
        let order = (0..<4).compactMap { _ in queue.popFirst(withSlow: true)?.job }
        #expect(order == [1, 2, 3, 4])
        #expect(queue.popFirst(withSlow: true) == nil)
    }

    @Test func `Where the token has no place left the others go on`() {
        var queue = filled()
        #expect(queue.popFirst(withSlow: false)?.job == 2)
        #expect(queue.popFirst(withSlow: false)?.job == 4)
        #expect(queue.popFirst(withSlow: false) == nil)
        #expect(queue.count == 2)
    }

    @Test func `It says which of them may wait for the token`() {
        var queue = filled()
        #expect(queue.popFirst(withSlow: true)?.isSlow == true)
        #expect(queue.popFirst(withSlow: true)?.isSlow == false)
    }

    @Test func `Those that may wait for the token leave a quarter of it to the others`() {
        var queue = RequestQueue<Int>(limit: 8)
        for job in 0..<6 {
            #expect(queue.hasRoom(forSlow: true))
            queue.append(job, deadline: at(1), isSlow: true)
        }
        #expect(!queue.hasRoom(forSlow: true))
        #expect(queue.hasRoom(forSlow: false))
        for job in 6..<8 { queue.append(job, deadline: at(1), isSlow: false) }
        #expect(!queue.hasRoom(forSlow: false))
    }

    @Test func `What has waited too long leaves it in order, from both sides`() {
        var queue = filled()
        #expect(queue.nextDeadline == at(10))
        #expect(queue.expired(at(30)) == [1, 2, 3])
        #expect(queue.nextDeadline == at(40))
        #expect(queue.expired(nil) == [4])
        #expect(queue.nextDeadline == nil)
    }
}
