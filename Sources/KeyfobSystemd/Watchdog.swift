// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobSystemd

/// The manager's watch over this process (sd_watchdog_enabled(3)).
package enum Watchdog {
    /// How often `ServiceNotification.alive` is due at the latest, or nil: nobody watches.
    ///
    /// The manager's interval counts only if it is meant for this process (`WATCHDOG_PID`). Takes the variables out of
    /// the environment, so it answers once: call it before other threads run.
    package static func takeInterval() -> Duration? {
        var microseconds: UInt64 = 0
        guard unsafe sd_watchdog_enabled(1, &microseconds) > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds))
    }
}
