// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobSystemd
internal import Glibc
internal import KeyfobPlatform

/// What a service tells its manager (sd_notify(3)); without a manager nothing is sent.
///
/// Every call sends one datagram to the socket that `NOTIFY_SOCKET` names and does not wait for an answer.
package enum ServiceNotification {
    /// Whether there is a manager to tell: `NOTIFY_SOCKET` is set.
    package static var hasManager: Bool { Environment.value("NOTIFY_SOCKET") != nil }

    /// The service serves; `status` is one line on how it is.
    @discardableResult
    package static func ready(status: String) -> Bool { send(["READY=1", line(status)]) }

    /// How the service is, in one line for `systemctl status`.
    @discardableResult
    package static func status(_ status: String) -> Bool { send([line(status)]) }

    /// The service reads its configuration again; `ready` must follow.
    ///
    /// Carries the time of CLOCK_MONOTONIC, as `Type=notify-reload` wants it.
    @discardableResult
    package static func reloading() -> Bool {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return send(["RELOADING=1", "MONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)"])
    }

    /// The service is about to end.
    @discardableResult
    package static func stopping(status: String) -> Bool { send(["STOPPING=1", line(status)]) }

    /// The service is alive; due within each `Watchdog.interval`.
    @discardableResult
    package static func alive() -> Bool { send(["WATCHDOG=1"]) }

    /// The service could not start; `errno` is 0 if no system call was to blame.
    @discardableResult
    package static func failed(status: String, errno: Int32) -> Bool {
        send((errno == 0 ? [] : ["ERRNO=\(errno)"]) + [line(status)])
    }

    /// Sends lines such as `READY=1`; true if there is a manager that was told.
    @discardableResult
    package static func send(_ lines: [String]) -> Bool {
        unsafe sd_notify(0, lines.joined(separator: "\n")) > 0
    }

    /// A line break in it would begin another message.
    private static func line(_ status: String) -> String { "STATUS=\(Printable.text(status, limit: Log.lineLimit))" }
}
