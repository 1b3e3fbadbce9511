// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
package import KeyfobClient

/// A keychain of its own that the real `keyfobd` serves as a user of its own, and programs of other users beside it.
///
/// Needs root, as only root may start programs of several users.
package final class DaemonLab {
    package let keychain: ProgramKeychain
    /// Whom the daemon runs as.
    package let user: TestUser
    /// The folder of the socket.
    package var runtime: String { keychain.folder + "/run" }
    /// Where the daemon listens.
    package var socket: String { runtime + "/keyfobd.sock" }
    /// The daemon that runs now.
    package private(set) var daemon: LiveProgram?

    /// Makes the keychain, and starts nothing.
    ///
    /// - Parameters:
    ///   - policies: the access policies: file names without `.json`, and their text.
    ///   - keychain: one that is there; nil: one is made.
    package init(
        user: TestUser = .daemon, policies: [String: String] = [:], keychain made: ProgramKeychain? = nil
    ) throws {
        guard geteuid() == 0 else { throw SpawnedProgram.Failure(call: "these tests need root", errno: EPERM) }
        keychain = try made ?? ProgramKeychain()
        self.user = user
        for folder in [runtime, keychain.policies] {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        }
        for (name, text) in policies { try setPolicy(name, text) }
        guard unsafe chmod(keychain.folder, 0o711) == 0 else {
            throw SpawnedProgram.Failure(call: "chmod \(keychain.folder)", errno: Glibc.errno)
        }
        let owning = try LiveProgram(
            path: "/bin/chown", ["-R", "\(user.uid):\(user.groups[0])", keychain.folder + "/"])
        guard owning.wait() == 0 else { throw SpawnedProgram.Failure(call: "chown: \(owning.errorText)", errno: 0) }
    }

    /// Writes a policy file.
    package func setPolicy(_ name: String, _ text: String) throws {
        let path = keychain.policies + "/\(name).json"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        unsafe chmod(path, 0o644)
        unsafe chown(path, user.uid, user.groups[0])
    }

    /// Changes `config.json`, a text for another; both must differ.
    package func editConfiguration(_ change: (String) -> String) throws {
        let path = keychain.home + "/config.json"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let changed = change(text)
        guard changed != text else { throw SpawnedProgram.Failure(call: "config.json has nothing to change", errno: 0) }
        try changed.write(toFile: path, atomically: false, encoding: .utf8)
    }

    /// Takes the PIN source away: the daemon then starts before first unlock.
    package func removePINSource() throws {
        try editConfiguration { text in
            let lines = text.split(separator: "\n").filter { !$0.contains("\"pin-source\"") }
            return lines.joined(separator: "\n").replacing(",\n}", with: "\n}") + "\n"
        }
    }

    // MARK: - Daemon

    /// Starts the daemon and waits until it serves.
    package func start(
        _ arguments: [String] = ["--system"], environment: [String: String] = [:], launcher: [String] = []
    ) throws {
        let manager = NotifySocket(forThisProcess: false)
        let daemon = try launch(
            arguments, environment: environment.merging(["NOTIFY_SOCKET": manager.name]) { $1 }, launcher: launcher)
        let message = manager.message()
        guard message.hasPrefix("READY=1") else {
            throw SpawnedProgram.Failure(call: "keyfobd: \(message) \(daemon.errorText)", errno: 0)
        }
    }

    /// Starts the daemon and does not wait for it.
    @discardableResult
    package func launch(
        _ arguments: [String] = ["--system"], environment: [String: String] = [:], launcher: [String] = []
    ) throws -> LiveProgram {
        let daemon = try LiveProgram(
            path: DaemonPrograms.path("keyfobd"), arguments + ["--home", keychain.home, "--socket", socket],
            environment: environment.merging(["HOME": keychain.folder]) { $1 }, launcher: launcher + user.launcher)
        self.daemon = daemon
        return daemon
    }

    /// Kills it with SIGKILL; nothing of it runs when this returns.
    package func killDaemon() { daemon?.endByForce() }

    /// Sends it a signal.
    package func signal(_ number: Int32) {
        if let daemon { kill(daemon.pid, number) }
    }

    /// What it has logged.
    package var log: String { daemon?.errorText ?? "" }

    /// Waits until the log holds the text; false if it does not within a minute.
    package func logs(_ text: String) -> Bool { Self.waits { log.contains(text) } }

    /// Waits until something holds that nobody tells of; false if it does not within a minute.
    package static func waits(_ condition: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<12_000 {
            if try condition() { return true }
            usleep(5000)
        }
        return false
    }

    // MARK: - Programs

    /// A client of this process, which is root's: an owner.
    package func client() -> DaemonClient { DaemonClient(sockets: [socket]) }

    /// How often the daemon has called a function of the token.
    package func tokenCalls(_ function: String) throws -> Int {
        let lines = try client().metrics().split(separator: "\n")
        let line = lines.first { $0.hasPrefix("keyfob_token_calls_total{function=\"\(function)\"}") }
        return line.flatMap { $0.split(separator: " ").last.flatMap { Int($0) } } ?? 0
    }

    /// Starts the test program as a user, to use the daemon.
    package func start(
        _ words: [String], as user: TestUser, environment: [String: String] = [:]
    ) throws -> LiveProgram {
        let own = ["KEYFOB_SOCKET": socket, "KEYFOB_LOG": "error", "HOME": "/"]
        return try LiveProgram(
            path: DaemonPrograms.path("keyfob-test-program"), words, environment: own.merging(environment) { $1 },
            launcher: user.launcher)
    }

    /// Runs the test program as a user to its end; the lines it wrote.
    package func run(_ words: [String], as user: TestUser, group: String? = nil) throws -> [String] {
        let program = try start(words, as: user, environment: group.map { ["ITEM_GROUP": $0] } ?? [:])
        let lines = program.lines()
        program.wait()
        return lines
    }

    /// Runs `keyfob` as a user to its end.
    package func keyfob(_ words: [String], as user: TestUser) throws -> (status: Int32, output: [String], error: String)
    {
        let program = try LiveProgram(
            path: DaemonPrograms.path("keyfob"), words, environment: ["KEYFOB_SOCKET": socket, "HOME": "/"],
            launcher: user.launcher)
        let lines = program.lines()
        return (program.wait() >> 8, lines, program.errorText)
    }
}

/// A program that stays connected and does one call after the other.
package final class ConnectedProgram {
    package let program: LiveProgram

    /// Starts it as a user of the lab.
    package init(_ lab: DaemonLab, as user: TestUser, environment: [String: String] = [:]) throws {
        program = try lab.start(["converse"], as: user, environment: environment)
    }

    /// Has one verb done, with words that hold no blank; the lines that came of it.
    package func ask(_ words: String...) -> [String] {
        program.send(Array((words.joined(separator: " ") + "\n").utf8))
        return answer()
    }

    /// Has one verb done, and does not wait for it.
    package func begin(_ words: String...) { program.send(Array((words.joined(separator: " ") + "\n").utf8)) }

    /// The lines that came of the next verb.
    package func answer() -> [String] {
        var lines: [String] = []
        while let line = program.line(), line != "." { lines.append(line) }
        return lines
    }
}
