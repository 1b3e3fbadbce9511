// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Whether to look for the next bytes again and again before sleeping until they come.
///
/// A thread that sleeps has to be woken, which takes longer than most requests where the processor has gone to sleep with
/// it. So both ends of a stream look for a moment first, as long as that has been worth it: after a wait that was longer
/// the next ones are slept through at once. On a machine with one processor nobody looks: what is waited for could not
/// come meanwhile.
package struct Eagerness: Sendable {
    /// How long a thread looks before it sleeps.
    package static let limit = Duration.microseconds(80)
    /// How many waits are slept through after one that was longer.
    static let pause = 16

    private static let hasProcessors = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1
    private let mayLook: Bool
    private var sleepsLeft = 0

    package init() {
        self.init(mayLook: Self.hasProcessors)
    }

    init(mayLook: Bool) {
        self.mayLook = mayLook
    }

    /// Asks `look` until it returns something, for a moment at most; nil: nothing came, or it is no time to look.
    package mutating func seek<R: ~Copyable, E: Error>(_ look: () throws(E) -> R?) throws(E) -> R? {
        guard mayLook else { return nil }
        guard sleepsLeft == 0 else {
            sleepsLeft -= 1
            return nil
        }
        let end = Moment.now + Self.limit
        repeat {
            if let found = try look() { return found }
        } while Moment.now < end
        sleepsLeft = Self.pause
        return nil
    }
}
