// SPDX-License-Identifier: Apache-2.0

/// Does something again and again, with a pause between, on a thread of its own.
package final class Ticker: Sendable {
    private final class Bell: Sendable {
        let wake: WakeUp

        init() throws(PosixError) {
            wake = try WakeUp()
        }
    }

    private let bell: Bell
    private let thread: OwnThread

    /// Begins with a pause; `stop` must follow.
    ///
    /// - Throws: if there is no descriptor or no thread for it.
    package convenience init(
        _ name: String, every pause: Duration, _ tick: @escaping @Sendable () -> Void
    ) throws(PosixError) {
        try self.init(name, after: pause) {
            tick()
            return pause
        }
    }

    /// Begins with a pause; `stop` must follow.
    ///
    /// - Parameter tick: returns how long the next pause is.
    /// - Throws: if there is no descriptor or no thread for it.
    package init(
        _ name: String, after first: Duration, _ tick: @escaping @Sendable () -> Duration
    ) throws(PosixError) {
        let bell = try Bell()
        thread = try OwnThread(name) {
            var pause = first
            while !bell.wake.wait(pause) { pause = tick() }
        }
        self.bell = bell
    }

    /// Ends, and waits for what is under way.
    package func stop() {
        bell.wake.signal()
        thread.join()
    }
}
