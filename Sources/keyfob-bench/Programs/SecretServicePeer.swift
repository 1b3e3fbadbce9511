// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// `secret-tool lookup` against gnome-keyring on a D-Bus of its own, in a home of its own.
///
/// The benchmark starts `dbus-run-session`, which starts this program again with `--secret-service-peer`; that one
/// prints the median of its lookups in microseconds.
enum SecretServicePeer {
    private static let programs = ["dbus-run-session", "gnome-keyring-daemon", "secret-tool"]
    private static let lookup = ["lookup", "service", "bench", "account", "bench"]

    /// The median of the cold lookups in microseconds.
    static func measure(rounds: Int) throws(BenchFailure) -> Double {
        for program in programs where Program.find(program) == nil {
            throw BenchFailure("\(program) is not installed: nothing to compare keyfob get with")
        }
        let ends = try Program.pipe()
        defer { close(ends.reading) }
        let status = try Program.run(
            "dbus-run-session", ["--", Program.own(), "--secret-service-peer", "--rounds", "\(rounds)"],
            output: ends.writing)
        close(ends.writing)
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(ends.reading, &buffer, buffer.count)
        let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        guard status == 0, let median = Double(text.prefix { $0 != "\n" }) else {
            throw BenchFailure("secret-tool lookup could not be measured: gnome-keyring does not answer here")
        }
        return median
    }

    /// The work inside the private bus: starts the keyring, stores one item, times lookups.
    static func serve(rounds: Int) throws -> Double {
        let home = try BenchKeychain.makeFolder()
        defer { BenchKeychain.remove(home) }
        for name in ["HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
            unsafe setenv(name, home, 1)
        }
        let keyring = try Program.start(
            "gnome-keyring-daemon", ["--foreground", "--unlock", "--components=secrets"], input: "bench\n")
        defer {
            kill(keyring, SIGTERM)
            _ = Program.wait(for: keyring)
        }
        try store()
        let series = Series("secret-tool", batch: 1, batches: 5) { _ in
            let status = try Program.run("secret-tool", lookup)
            guard status == 0 else { throw BenchFailure("secret-tool lookup ended with status \(status)") }
        }
        try series.round(isWarmUp: true)
        for _ in 0..<rounds { try series.round() }
        return series.median
    }

    /// The keyring takes a moment until it answers.
    private static func store() throws {
        for _ in 0..<50 {
            let arguments = ["store", "--label=bench"] + lookup.dropFirst()
            if try Program.run("secret-tool", arguments, input: "01234567890123456789012345678901") == 0 { return }
            usleep(100_000)
        }
        throw BenchFailure("secret-tool store did not work")
    }
}
