// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// How a child ended (wait(2)).
package enum ProgramEnd: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)

    /// The status that a shell gives: its own, or 128 and the signal.
    package var status: Int32 {
        switch self {
        case .exited(let status): status
        case .killed(let signal): 128 + signal
        }
    }

    /// The end of the child, or nil: it still runs.
    ///
    /// Blocks only if told to. A child that is not ours, or was waited for, has ended with status 127.
    package static func of(_ pid: Int32, waiting: Bool = false) -> ProgramEnd? {
        var status: Int32 = 0
        while true {
            let found = unsafe waitpid(pid, &status, waiting ? 0 : WNOHANG)
            if found == 0 { return nil }
            if found < 0 {
                guard errno == EINTR else { return .exited(127) }
                continue
            }
            let signal = status & 0x7F
            return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
        }
    }
}
