// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobTestSupport
internal import Testing

/// Runs of `keyfob sandbox` as a process.
enum SandboxRun {
    /// The built program.
    static func program() throws -> String { try SpawnedProgram.productsFolder() + "/keyfob" }

    /// Runs a line of the shell in a sandbox, in which `$KEYFOB` is the program, and waits for its end.
    static func shell(
        _ line: String, _ options: [String] = [], environment: [String: String] = [:]
    ) throws -> SpawnedProgram.Outcome {
        let program = try program()
        let run = try SpawnedProgram(path: program, environment: environment.merging(["KEYFOB": program]) { $1 })
        return try run.run(["sandbox"] + options + ["--", "/bin/sh", "-c", line])
    }

    /// Starts one whose command prints its folder and the number of its shell, and then does the rest of the line.
    static func start(_ line: String, _ options: [String] = []) throws -> LiveSandbox {
        let program = try program()
        let live = try LiveProgram(
            path: program,
            ["sandbox"] + options + ["--", "/bin/sh", "-c", "dirname \"$KEYFOB_HOME\"; echo $$; \(line)"],
            environment: ["KEYFOB": program])
        let folder = try #require(live.line(), "\(live.errorText)")
        let shell = try #require(live.line().flatMap { Int32($0) })
        return LiveSandbox(program: live, folder: folder, shell: shell)
    }

    /// Whether there is something at the path.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }
}

/// A sandbox whose command runs.
struct LiveSandbox {
    let program: LiveProgram
    let folder: String
    /// The process of the command.
    let shell: Int32

    /// The process of its daemon, as the keychain's lock names it.
    func daemon() throws -> Int32 {
        let text = try #require(TextFile.contents(folder + "/keychain/owner.lock"))
        return try #require(text.split(separator: "\n").first.flatMap { Int32($0) })
    }

    /// Does something after which nobody may have a hold on the folder, and returns when that is so.
    ///
    /// Whoever uses a sandbox has its marker locked, and the kernel gives the lock up at the end of the process.
    func untilUnused(_ work: () throws -> Void) throws {
        let marker = unsafe open(folder + "/sandbox.lock", O_RDONLY | O_CLOEXEC)
        try #require(marker >= 0)
        defer { close(marker) }
        try work()
        try #require(flock(marker, LOCK_EX) == 0)
    }
}

/// Small files as text.
enum TextFile {
    /// What the file holds, or nil: it cannot be read.
    static func contents(_ path: String) -> String? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = unsafe read(file, &buffer, buffer.count)
        return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }
}
