// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// libsecret and gnome-keyring: a cold `secret-tool lookup`, and a client that stays.
///
/// Each has its rounds beside those of what it is compared with. What is not installed or fails is missing, and a
/// remark says why.
final class SecretServicePeer {
    private static let lookup = ["lookup", "service", "bench", "account", "bench"]

    /// What was left out, and why.
    private(set) var remarks: [String] = []
    private var client: LibsecretClient?
    private var tool: Series?

    init() {
        let hasKeyring = PrivateKeyring.programs.allSatisfy { Program.find($0) != nil }
        let hasTool = Program.find("secret-tool") != nil
        let program = LibsecretClient.program
        if !hasKeyring || program == nil {
            remarks.append(
                "The comparison with a libsecret client that stays was left out: install libsecret-1-dev gnome-keyring "
                    + "dbus, and run scripts/bench")
        }
        if !hasKeyring || !hasTool {
            remarks.append(
                "The comparison with secret-tool lookup was left out: install libsecret-tools gnome-keyring dbus")
        }
        guard hasKeyring, hasTool || program != nil else { return }
        do throws(BenchFailure) {
            let keyring = try PrivateKeyring()
            if hasTool { tool = Self.tool(keyring) }
            if let program { client = try LibsecretClient(program, keyring) }
        } catch {
            remarks.append("libsecret and gnome-keyring were not measured: \(error.words)")
        }
    }

    /// Median of the client that stays, in microseconds; nil if it was not measured.
    var clientTime: Double? { client?.median }

    /// Median of the cold lookup, in microseconds; nil if it was not measured.
    var toolTime: Double? { tool?.median }

    func clientRound(isWarmUp: Bool = false) {
        do { try client?.round(isWarmUp: isWarmUp) } catch {
            client = nil
            remarks.append("A libsecret client that stays could not be measured: \(error.words)")
        }
    }

    func toolRound(isWarmUp: Bool = false) {
        do { try tool?.round(isWarmUp: isWarmUp) } catch {
            tool = nil
            let words = (error as? BenchFailure)?.words ?? "\(error)"
            remarks.append("secret-tool lookup could not be measured: \(words)")
        }
    }

    private static func tool(_ keyring: PrivateKeyring) -> Series {
        var isStored = false
        return Series(
            "secret-tool", batch: 1, batches: 5,
            prepare: { _ in
                if !isStored { try store(keyring) }
                isStored = true
            }
        ) { _ in
            let status = try Program.run("secret-tool", lookup, environment: keyring.environment)
            guard status == 0 else { throw BenchFailure("secret-tool lookup ended with status \(status)") }
        }
    }

    /// The keyring takes a moment until it answers.
    private static func store(_ keyring: PrivateKeyring) throws(BenchFailure) {
        let arguments = ["store", "--label=bench"] + lookup.dropFirst()
        let value = "01234567890123456789012345678901"
        for _ in 0..<50 {
            if try Program.run("secret-tool", arguments, input: value, environment: keyring.environment) == 0 { return }
            usleep(100_000)
        }
        throw BenchFailure("gnome-keyring does not answer here")
    }
}
