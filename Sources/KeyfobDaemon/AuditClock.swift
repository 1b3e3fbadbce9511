// SPDX-License-Identifier: Apache-2.0
internal import KeyfobEngine
internal import KeyfobModel
internal import KeyfobPlatform

/// Has the audit log sealed once a minute while it grows, on a thread of its own.
final class AuditClock: Sendable {
    private static let pause = Duration.seconds(60)

    private final class Bell: Sendable {
        let wake: WakeUp

        init() throws(PosixError) {
            wake = try WakeUp()
        }
    }

    private let bell: Bell
    private let thread: OwnThread

    /// Begins; `stop` must follow.
    ///
    /// - Throws: `.inputOutput` if there is no descriptor or no thread for it.
    init(_ engine: KeychainEngine) throws(KeychainError) {
        do throws(PosixError) {
            let bell = try Bell()
            thread = try OwnThread("keyfobd-audit") {
                while !bell.wake.wait(Self.pause) { engine.checkpointAuditIfDue() }
            }
            self.bell = bell
        } catch {
            throw KeychainError(.inputOutput, .serve, cause: .posix(call: error.call, errno: error.errno))
        }
    }

    /// Ends, and waits for a seal that is under way.
    func stop() {
        bell.wake.signal()
        thread.join()
    }
}
