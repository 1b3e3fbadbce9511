// SPDX-License-Identifier: Apache-2.0
// `environ` is a variable of C; it is only read, when a child is made.
@unsafe @preconcurrency internal import Glibc

/// Programs that the benchmark starts, their output thrown away or kept.
enum Program {
    /// Runs a program to its end; its exit status, or 128 and the signal.
    ///
    /// - Parameters:
    ///   - input: what it reads on its standard input; at most a pipe full.
    ///   - environment: all of it, `NAME=VALUE` each; nil hands on that of this process.
    static func run(
        _ path: String, _ arguments: [String], input: String = "", environment: [String]? = nil
    ) throws(BenchFailure) -> Int32 {
        let child = try start(path, arguments, input: input, environment: environment)
        return wait(for: child)
    }

    /// Starts a program, looked up in `PATH` if it is a bare name.
    ///
    /// - Parameter environment: all of it, `NAME=VALUE` each; nil hands on that of this process.
    static func start(
        _ path: String, _ arguments: [String], input: String = "", output: Int32? = nil, environment: [String]? = nil
    ) throws(BenchFailure) -> pid_t {
        let ends = try pipe()
        defer {
            close(ends.reading)
            close(ends.writing)
        }
        var text = input
        _ = text.withUTF8 { unsafe Glibc.write(ends.writing, $0.baseAddress, $0.count) }
        return try start(path, arguments, reading: ends.reading, output: output, environment: environment)
    }

    /// Starts a program that reads from a descriptor.
    static func start(
        _ path: String, _ arguments: [String], reading: Int32, output: Int32?, environment: [String]?
    ) throws(BenchFailure) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, reading, STDIN_FILENO)
        if let output {
            unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var settings = unsafe (environment ?? []).map { unsafe strdup($0) } + [nil]
        defer { unsafe settings.forEach { unsafe free($0) } }
        var child: pid_t = 0
        let result =
            environment == nil
            ? unsafe posix_spawnp(&child, path, &actions, nil, &words, environ)
            : unsafe posix_spawnp(&child, path, &actions, nil, &words, &settings)
        guard result == 0 else { throw BenchFailure("\(path) does not start: error \(result)") }
        return child
    }

    /// A pipe that children do not inherit.
    static func pipe() throws(BenchFailure) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard unsafe Glibc.pipe(&ends) == 0 else { throw BenchFailure("no pipe can be made: error \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Asks a program to end, and waits for it.
    static func end(_ child: pid_t) {
        kill(child, SIGTERM)
        _ = wait(for: child)
    }

    static func wait(for child: pid_t) -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// The file of a program in `PATH`, or nil.
    static func find(_ name: String) -> String? {
        guard let path = unsafe getenv("PATH") else { return nil }
        let folders = unsafe String(cString: path).split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
    }

    /// The program of that name in the folder of this one, or nil.
    static func beside(_ name: String) -> String? {
        let path = own().split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/\(name)"
        return unsafe access(path, X_OK) == 0 ? path : nil
    }

    /// The file that this process runs.
    static func own() -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A file that only this user reads, with these bytes.
    static func write(_ bytes: [UInt8], to path: String) throws(BenchFailure) {
        let file = unsafe open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw BenchFailure("\(path) cannot be written") }
        defer { close(file) }
        guard unsafe bytes.withUnsafeBytes({ unsafe Glibc.write(file, $0.baseAddress, $0.count) }) == bytes.count else {
            throw BenchFailure("\(path) cannot be written")
        }
    }
}
