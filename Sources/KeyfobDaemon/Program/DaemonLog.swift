// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobPlatform

/// The daemon's share of `Log`: a service says when it starts, stops, locks and unlocks.
enum DaemonLog {
    private static let variable = "KEYFOB_LOG"

    /// Chooses the level.
    ///
    /// It is `KEYFOB_LOG`, else info if the daemon is verbose, else notice. A value that is no level is said once and
    /// counts as none.
    ///
    /// Call it before the first line is logged, and before other threads run.
    static func setUp(isVerbose: Bool) {
        let named = Environment.value(variable)
        let usual: Log.Level = isVerbose ? .info : .notice
        guard named.flatMap({ Log.Level(name: $0) }) == nil else { return }
        unsafe setenv(variable, usual.name, 1)
        if let named {
            Log.shared.warning(
                "\(variable)=\(Printable.text(named)) is no level (error, warning, notice, info, debug); it is \(usual.name)"
            )
        }
    }

    /// Writes why the program ends to the error output, whatever the level.
    static func complain(_ text: String) {
        // An error output that takes nothing leaves the exit status.
        _ = unsafe write(STDERR_FILENO, text, text.utf8.count)
    }
}
