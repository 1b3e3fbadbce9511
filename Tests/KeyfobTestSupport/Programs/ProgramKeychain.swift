// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A keychain with a software token of its own that only child processes open: each test's alone, in a folder that
/// goes with it.
package final class ProgramKeychain {
    /// The folder of everything.
    package let folder: String
    /// The PIN, 24 digits.
    package let pin: [UInt8]

    /// The folder of the keychain.
    package var home: String { folder + "/keychain" }
    /// The file with the PIN.
    package var pinFile: String { folder + "/pin" }
    /// The folder of the access policies.
    package var policies: String { home + "/access.d" }

    /// What a program needs to find the keychain.
    package var environment: [String: String] {
        ["KEYFOB_HOME": home, "KEYFOB_LOG": "error", "KEYFOB_EMBEDDED": "1", "HOME": folder]
    }

    /// Makes the folder and the PIN; the keychain too unless told otherwise.
    package init(makingKeychain: Bool = true) throws {
        folder = FileManager.default.temporaryDirectory.path + "/keyfob-program-\(UUID().uuidString)"
        pin = (0..<24).map { _ in UInt8.random(in: 0x30...0x39) }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard
            FileManager.default.createFile(
                atPath: pinFile, contents: Data(pin), attributes: [.posixPermissions: 0o600])
        else { throw SpawnedProgram.Failure(call: "create \(pinFile)", errno: 0) }
        guard makingKeychain else { return }
        let made = try start(["make", pinFile])
        guard made.wait() == 0 else {
            throw SpawnedProgram.Failure(call: "make: \(made.errorText)", errno: 0)
        }
    }

    deinit {
        // A folder that cannot be removed is no fault of what was tested.
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The path of the program that tests run.
    package static func program() throws(SpawnedProgram.Failure) -> String {
        try SpawnedProgram.productsFolder() + "/keyfob-test-program"
    }

    /// Starts the test program on the keychain.
    package func start(
        _ arguments: [String], program: String? = nil, environment extra: [String: String] = [:],
        launcher: [String] = []
    ) throws -> LiveProgram {
        try LiveProgram(
            path: try program ?? Self.program(), arguments,
            environment: environment.merging(extra) { $1 }, launcher: launcher)
    }

    /// Runs the test program to its end and returns the lines it wrote.
    package func run(
        _ arguments: [String], program: String? = nil, environment extra: [String: String] = [:]
    ) throws -> [String] {
        let program = try start(arguments, program: program, environment: extra)
        let lines = program.lines()
        program.wait()
        return lines
    }

    /// Copies the test program to another path in the folder.
    package func copyProgram(as name: String) throws -> String {
        let copy = folder + "/" + name
        try Self.copyProgram(to: copy)
        return copy
    }

    /// Copies the test program, by a process of its own: while one of ours has the copy open for writing, a child that
    /// another test starts would inherit that, and the copy could not be run (`ETXTBSY`).
    package static func copyProgram(to path: String) throws {
        let copying = try LiveProgram(path: "/bin/cp", [try program(), path])
        guard copying.wait() == 0 else { throw SpawnedProgram.Failure(call: "cp: \(copying.errorText)", errno: 0) }
    }

    /// Every file below the keychain's folder that holds a piece of a secret.
    package func searchFiles(_ secrets: [SecretPieces]) throws -> (files: Int, findings: [String]) {
        var findings: [String] = []
        var files = 0
        let names = FileManager.default.enumerator(atPath: home)?.allObjects ?? []
        for case let name as String in names {
            guard let contents = FileManager.default.contents(atPath: home + "/" + name) else { continue }
            files += 1
            for (secret, offset) in SecretPieces.find(secrets, in: Array(contents)[...]) {
                findings.append("\(secret) in \(name) at \(offset)")
            }
        }
        return (files, findings)
    }
}
