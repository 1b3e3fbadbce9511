// SPDX-License-Identifier: Apache-2.0
internal import KeyfobPlatform

/// The daemon's program.
package enum DaemonProgram {
    /// Runs until it is told to stop; returns the exit status.
    package static func run() -> Int32 {
        do { try ProcessHardening.apply() } catch { return 1 }
        return 0
    }
}
