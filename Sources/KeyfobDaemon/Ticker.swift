// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPlatform

/// Does something again and again, with a pause between, on a thread of its own.
final class Ticker: Sendable {
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
    /// - Throws: `.inputOutput` if there is no descriptor or no thread for it.
    init(_ name: String, every pause: Duration, _ tick: @escaping @Sendable () -> Void) throws(KeychainError) {
        do throws(PosixError) {
            let bell = try Bell()
            thread = try OwnThread(name) {
                while !bell.wake.wait(pause) { tick() }
            }
            self.bell = bell
        } catch {
            throw KeychainError(.inputOutput, .serve, cause: .posix(call: error.call, errno: error.errno))
        }
    }

    /// Ends, and waits for what is under way.
    func stop() {
        bell.wake.signal()
        thread.join()
    }
}
