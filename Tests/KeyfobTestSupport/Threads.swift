// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Foundation

/// Threads that run at the same time, more of them than there are processors.
package enum Threads {
    /// Runs `body` with each number below `count` on a thread of its own and waits for all.
    package static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let group = DispatchGroup()
        for number in 0..<count {
            group.enter()
            Thread {
                body(number)
                group.leave()
            }.start()
        }
        group.wait()
    }
}
