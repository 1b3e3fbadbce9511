// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobSystemd
import KeyfobTestSupport
import Testing

/// Each in a process of its own: the environment belongs to all threads of one.
struct ServiceNotificationTests {
    @Test func `Without a manager nothing is sent`() async {
        await #expect(processExitsWith: .success) {
            unsafe unsetenv("NOTIFY_SOCKET")
            exit(!ServiceNotification.hasManager && !ServiceNotification.send(["READY=1"]) ? 0 : 1)
        }
    }

    @Test func `Ready carries the status`() async {
        await #expect(processExitsWith: .success) {
            let manager = NotifySocket()
            ServiceNotification.ready(status: "unlocked")
            exit(manager.message() == "READY=1\nSTATUS=unlocked" ? 0 : 1)
        }
    }

    @Test func `A line break in a status does not begin another message`() async {
        await #expect(processExitsWith: .success) {
            let manager = NotifySocket()
            ServiceNotification.status("a\nREADY=1")
            exit(manager.message() == "STATUS=a\\u{a}READY=1" ? 0 : 1)
        }
    }

    @Test func `Reloading carries the time of the monotonic clock`() async {
        await #expect(processExitsWith: .success) {
            let manager = NotifySocket()
            var before = timespec()
            unsafe clock_gettime(CLOCK_MONOTONIC, &before)
            ServiceNotification.reloading()
            let lines = manager.message().split(separator: "\n")
            let time = lines.last.flatMap { Int($0.dropFirst("MONOTONIC_USEC=".count)) } ?? 0
            let isPlausible = (0...60_000_000).contains(time - before.tv_sec * 1_000_000)
            exit(lines.first == "RELOADING=1" && isPlausible ? 0 : 1)
        }
    }

    @Test func `Stopping, a sign of life and a failed start are told as the manual says`() async {
        await #expect(processExitsWith: .success) {
            let manager = NotifySocket()
            ServiceNotification.stopping(status: "x")
            let stopping = manager.message()
            ServiceNotification.alive()
            let alive = manager.message()
            ServiceNotification.failed(status: "x", errno: 13)
            let failed = manager.message()
            ServiceNotification.failed(status: "x", errno: 0)
            let blameless = manager.message()
            let all = [stopping, alive, failed, blameless]
            exit(all == ["STOPPING=1\nSTATUS=x", "WATCHDOG=1", "ERRNO=13\nSTATUS=x", "STATUS=x"] ? 0 : 1)
        }
    }
}
