// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobSystemd

/// What a service tells its manager (sd_notify(3)); without a manager nothing is sent.
package enum ServiceNotification {
    /// Sends lines such as `READY=1`; true if there is a manager that was told.
    @discardableResult
    package static func send(_ lines: [String]) -> Bool {
        unsafe sd_notify(0, lines.joined(separator: "\n")) > 0
    }
}
