// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// gnome-keyring on a D-Bus of its own, in a home of its own, until this is given up.
///
/// The bus starts no services: it would start a second keyring for a client that asks before the first is ready, and a
/// window for a password that nobody is there to give.
final class PrivateKeyring {
    /// The programs it needs, in Debian's packages gnome-keyring and dbus.
    static let programs = ["gnome-keyring-daemon", "dbus-daemon"]

    /// The whole environment of a client.
    let environment: [String]
    private let folder: String
    private let bus: pid_t
    private let keyring: pid_t

    /// Returns before the keyring answers, which takes a moment.
    init() throws(BenchFailure) {
        let folder = try BenchKeychain.makeFolder()
        var started: [pid_t] = []
        do throws(BenchFailure) {
            try Program.write(Array(Self.configuration(folder).utf8), to: folder + "/bus.conf")
            let (bus, address) = try Self.startBus(folder)
            started.append(bus)
            let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
            let homes = ["HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"]
            environment = ["PATH=\(path)", "DBUS_SESSION_BUS_ADDRESS=\(address)"] + homes.map { "\($0)=\(folder)" }
            keyring = try Program.start(
                "gnome-keyring-daemon", ["--foreground", "--unlock", "--components=secrets"], input: "bench\n",
                environment: environment)
            self.bus = bus
            self.folder = folder
        } catch {
            started.forEach(Program.end)
            BenchKeychain.remove(folder)
            throw error
        }
    }

    deinit {
        Program.end(keyring)
        Program.end(bus)
        BenchKeychain.remove(folder)
    }

    private static func startBus(_ folder: String) throws(BenchFailure) -> (bus: pid_t, address: String) {
        let ends = try Program.pipe()
        defer { close(ends.reading) }
        let bus: pid_t
        do {
            defer { close(ends.writing) }
            bus = try Program.start(
                "dbus-daemon", ["--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile", "--print-address=1"],
                output: ends.writing)
        }
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = unsafe read(ends.reading, &buffer, buffer.count)
        let address = String(decoding: buffer.prefix(max(0, count)).prefix { $0 != 0x0A }, as: UTF8.self)
        guard !address.isEmpty else {
            Program.end(bus)
            throw BenchFailure("dbus-daemon does not start")
        }
        return (bus, address)
    }

    private static func configuration(_ folder: String) -> String {
        """
        <busconfig>
          <type>session</type>
          <listen>unix:dir=\(folder)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*"/>
            <allow receive_type="method_call"/>
            <allow receive_type="method_return"/>
            <allow receive_type="error"/>
            <allow receive_type="signal"/>
            <allow own="*"/>
          </policy>
        </busconfig>

        """
    }
}
