// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A system bus of one test alone, and on it what of logind the sleep of the machine needs (keyfob-test-logind).
package final class TestBus {
    private let folder: String
    private let bus: LiveProgram
    private var logind: LiveProgram?

    /// For `DBUS_SYSTEM_BUS_ADDRESS`.
    package var address: String { "unix:path=\(folder)/socket" }

    /// An address where no bus is.
    package static let nowhere = "unix:path=/nonexistent/bus"

    /// Starts the bus; programs of every user may use it.
    package init(withLogind: Bool = true) throws {
        folder = FileManager.default.temporaryDirectory.path + "/keyfob-bus-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>system</type>
              <listen>unix:path=\(folder)/socket</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow user="*"/>
                <allow own="*"/>
                <allow send_type="method_call"/>
                <allow send_type="signal"/>
                <allow send_requested_reply="true"/>
                <allow receive_type="method_call"/>
                <allow receive_type="signal"/>
                <allow receive_requested_reply="true"/>
              </policy>
            </busconfig>
            """
        try configuration.write(toFile: folder + "/bus.conf", atomically: false, encoding: .utf8)
        bus = try LiveProgram(
            path: "/usr/bin/dbus-daemon",
            ["--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile", "--print-address"])
        guard bus.line()?.hasPrefix("unix:") == true else {
            throw SpawnedProgram.Failure(call: "dbus-daemon: \(bus.errorText)", errno: 0)
        }
        if withLogind { try startLogind() }
    }

    deinit {
        // A folder that cannot be removed is no fault of what was tested.
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts logind, or another one after `endLogind`.
    package func startLogind() throws {
        let made = try LiveProgram(
            path: SpawnedProgram.productsFolder() + "/keyfob-test-logind",
            [], environment: ["DBUS_SYSTEM_BUS_ADDRESS": address])
        guard made.line() == "ready" else {
            throw SpawnedProgram.Failure(call: "keyfob-test-logind: \(made.errorText)", errno: 0)
        }
        logind = made
    }

    /// Kills logind.
    package func endLogind() { logind?.endByForce() }

    /// Kills the bus.
    package func end() { bus.endByForce() }

    /// Waits until somebody delays the machine's sleep: in logind's words who, and the sender's name on the bus.
    package func delayer() -> (words: String, sender: String) {
        let line = logind?.line() ?? ""
        let parts = line.split(separator: " ")
        return (parts.dropLast().joined(separator: " "), parts.last.map(String.init) ?? "")
    }

    /// Has logind do something, and does not wait for its answer.
    package func begin(_ command: String) { logind?.send(Array((command + "\n").utf8)) }

    /// What logind says next.
    package func answer() -> String { logind?.line() ?? "" }

    /// Has logind do something: its answer.
    package func ask(_ command: String) -> String {
        begin(command)
        return answer()
    }
}
