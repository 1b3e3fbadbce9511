// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// libsecret against gnome-keyring on a D-Bus of its own, in a home of its own: a cold `secret-tool lookup`, and a
/// client that stays.
///
/// The benchmark starts `dbus-run-session`, which starts this program again with `--secret-service-peer`; that one
/// prints what it measured as `SecretServiceTimes` has it.
enum SecretServicePeer {
    /// What `scripts/bench` compiles from `scripts/bench-peers/libsecret_peer.c` where libsecret is installed.
    private static let client = Program.beside("keyfob-libsecret-peer")
    private static let lookup = ["lookup", "service", "bench", "account", "bench"]

    /// Both medians, and why one is missing.
    static func measure(rounds: Int) throws(BenchFailure) -> (times: SecretServiceTimes, remarks: [String]) {
        var remarks: [String] = []
        let hasKeyring = ["dbus-run-session", "gnome-keyring-daemon"].allSatisfy { Program.find($0) != nil }
        let hasTool = Program.find("secret-tool") != nil
        if !hasKeyring || !hasTool {
            remarks.append(
                "The comparison with secret-tool lookup was left out: install libsecret-tools gnome-keyring dbus")
        }
        if !hasKeyring || client == nil {
            remarks.append(
                "The comparison with a libsecret client that stays was left out: install libsecret-1-dev gnome-keyring "
                    + "dbus, and run scripts/bench")
        }
        guard hasKeyring, hasTool || client != nil else { return (SecretServiceTimes(), remarks) }
        let times = SecretServiceTimes(reading: try runOnPrivateBus(rounds: rounds))
        if hasTool, times.tool == nil {
            remarks.append("secret-tool lookup could not be measured: gnome-keyring does not answer here")
        }
        if client != nil, times.client == nil {
            remarks.append("A libsecret client that stays could not be measured: gnome-keyring does not answer here")
        }
        return (times, remarks)
    }

    /// The work inside the private bus: starts the keyring, and times what is installed.
    static func serve(rounds: Int) throws -> SecretServiceTimes {
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
        var times = SecretServiceTimes()
        // What fails has no time, and whoever started this says so.
        if Program.find("secret-tool") != nil { times.tool = try? timeTool(rounds: rounds) }
        if let client {
            // The same as above.
            times.client = try? timeClient(client, rounds: rounds)
        }
        return times
    }

    private static func runOnPrivateBus(rounds: Int) throws(BenchFailure) -> String {
        try Program.output("dbus-run-session", ["--", Program.own(), "--secret-service-peer", "--rounds", "\(rounds)"])
    }

    private static func timeTool(rounds: Int) throws -> Double {
        try store()
        let series = Series("secret-tool", batch: 1, batches: 5) { _ in
            let status = try Program.run("secret-tool", lookup)
            guard status == 0 else { throw BenchFailure("secret-tool lookup ended with status \(status)") }
        }
        try series.round(isWarmUp: true)
        for _ in 0..<rounds { try series.round() }
        return series.median
    }

    private static func timeClient(_ client: String, rounds: Int) throws(BenchFailure) -> Double {
        let text = try Program.output(client, ["\(rounds)"])
        guard let nanoseconds = Double(text.prefix { $0 != "\n" }) else {
            throw BenchFailure("\(client) printed no time")
        }
        return nanoseconds / 1000
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
