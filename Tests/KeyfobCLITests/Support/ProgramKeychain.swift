// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
import KeyfobWords
internal import Testing

/// A folder of one test alone, with a keychain that the built program made; removed with its last user.
final class ProgramKeychain {
    static let pin = "531864"

    let program: SpawnedProgram
    /// The program's file.
    let path: String
    let environment: [String: String]
    let pinFile: String
    private let folder: String

    /// - Parameter initialized: Whether `keyfob init` is run.
    init(initialized: Bool = true) throws {
        folder = FileManager.default.temporaryDirectory.path + "/keyfob-cli-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        environment = ["KEYFOB_HOME": folder + "/keychain", "TERM": "dumb"]
        program = try SpawnedProgram("keyfob", environment: environment)
        path = try SpawnedProgram.productsFolder() + "/keyfob"
        pinFile = folder + "/pin"
        _ = try write("pin", Self.pin + "\n")
        guard initialized else { return }
        let made = try run(["init"])
        try #require(made.status == 0, "\(made.errorText)")
    }

    deinit {
        // A folder that cannot be removed is no fault of what was tested.
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs the program with pipes, with the right PIN in a file unless told otherwise.
    func run(_ arguments: [String], input: [UInt8] = [], withPIN: Bool = true) throws -> SpawnedProgram.Outcome {
        let takesPIN = !["status", "lock", "help", "version"].contains(arguments.first)
        let source = withPIN && takesPIN ? ["--pin-source", pinFile] : []
        return try program.run(arguments + source, input: input)
    }

    /// Makes a file beside the keychain and returns its path.
    func write(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
        let file = folder + "/" + name
        try #require(
            FileManager.default.createFile(
                atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
        return file
    }

    /// Takes the software token out of its folder, as if it had been pulled.
    func moveTokenAway() throws {
        let tokens = folder + "/keychain/token/tokens"
        try FileManager.default.moveItem(atPath: tokens, toPath: tokens + "-away")
        try FileManager.default.createDirectory(
            atPath: tokens, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    /// Runs a line of the shell, in which `"$0"` is the program and `"$PIN"` the file of the right PIN.
    func shell(_ line: String) throws -> SpawnedProgram.Outcome {
        let shell = try SpawnedProgram(
            path: "/bin/sh", environment: environment.merging(["PIN": pinFile, "FOLDER": folder]) { $1 })
        return try shell.run(["-c", line, path])
    }

    /// Cuts the software token's own file to nothing, as SoftHSM does for a moment at each login.
    func emptyTokenFile() throws {
        let tokens = folder + "/keychain/token/tokens"
        let token = try #require(FileManager.default.contentsOfDirectory(atPath: tokens).first)
        let file = try #require(FileHandle(forUpdatingAtPath: "\(tokens)/\(token)/token.object"))
        try file.truncate(atOffset: 0)
        try file.close()
    }

    /// Takes a file or folder out of the keychain's folder.
    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: folder + "/keychain/" + name)
    }

    /// What a file of the keychain's folder holds.
    func contents(_ name: String) throws -> String {
        try String(contentsOfFile: folder + "/keychain/" + name, encoding: .utf8)
    }

    /// Replaces the beginning of the store by a text.
    func overwriteStore(with text: String) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: folder + "/keychain/keychain.db"))
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }
}
