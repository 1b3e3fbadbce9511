// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A program that runs beside the test, which talks to it line by line and may kill it.
///
/// Its error output goes to a file that is read at the end. Letting go of it kills it.
package final class LiveProgram {
    /// Its process.
    package let pid: Int32
    private let input: Int32
    private let output: Int32
    private let errors: Int32
    private var pending: [UInt8] = []
    private var status: Int32?

    /// Starts the program at `path`; with `launcher` (a path and its arguments) in front of it, if given.
    package init(
        path: String, _ arguments: [String], environment: [String: String] = [:], launcher: [String] = []
    ) throws(SpawnedProgram.Failure) {
        let (childInput, input) = try Self.pipe()
        let (output, childOutput) = try Self.pipe()
        var name = Array("/tmp/keyfob-live-XXXXXX".utf8CString)
        let errors = unsafe mkstemp(&name)
        guard errors >= 0 else { throw SpawnedProgram.Failure(call: "mkstemp", errno: Glibc.errno) }
        unsafe unlink(name)
        self.input = input
        self.output = output
        self.errors = errors
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in [childInput, childOutput, errors].enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        let words = launcher + [path] + arguments
        let inherited = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
        let variables = ["PATH=\(inherited)"] + environment.map { "\($0.key)=\($0.value)" }
        var argv = unsafe words.map { unsafe strdup($0) } + [nil]
        var envp = unsafe variables.map { unsafe strdup($0) } + [nil]
        defer { unsafe (argv + envp).forEach { unsafe free($0) } }
        var pid: pid_t = 0
        let result = unsafe posix_spawn(&pid, words[0], &actions, nil, &argv, &envp)
        close(childInput)
        close(childOutput)
        self.pid = pid
        guard result == 0 else {
            status = 0
            throw SpawnedProgram.Failure(call: "posix_spawn \(words[0])", errno: result)
        }
    }

    deinit {
        if status == nil { endByForce() }
        for descriptor in [input, output, errors] { close(descriptor) }
    }

    /// Sends bytes to its standard input.
    package func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Lets its standard input come to its end.
    package func endInput() { shutdown(input, Int32(SHUT_WR)) }

    /// Sends a line: what the program waits for between its steps.
    package func proceed() { send([UInt8(ascii: "\n")]) }

    /// The next line of its output without the newline; nil at the end, or if nothing comes for two minutes.
    package func line() -> String? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeSubrange(...end)
                return line
            }
            var watched = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&watched, 1, 120_000) > 0 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 65536)
            let count = unsafe read(output, &buffer, buffer.count)
            guard count > 0 else { return nil }
            pending += buffer[..<count]
        }
    }

    /// The lines of its output up to the end.
    package func lines() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        return lines
    }

    /// Kills it with SIGKILL and waits until it is gone.
    package func endByForce() {
        guard status == nil else { return }
        kill(pid, SIGKILL)
        _ = wait()
    }

    /// Waits for its end; the status of `waitpid`.
    @discardableResult
    package func wait() -> Int32 {
        if let status { return status }
        var found: Int32 = 0
        while unsafe waitpid(pid, &found, 0) < 0 && Glibc.errno == EINTR {}
        status = found
        return found
    }

    /// Everything it wrote to its error output.
    package var errorOutput: [UInt8] {
        let size = Int(lseek(errors, 0, SEEK_END))
        var bytes = [UInt8](repeating: 0, count: max(size, 0))
        return unsafe pread(errors, &bytes, bytes.count, 0) == size ? bytes : []
    }

    /// The error output as text.
    package var errorText: String { String(decoding: errorOutput, as: UTF8.self) }

    /// A socket pair and no pipe: writing to a child that has ended is then an error and no SIGPIPE.
    private static func pipe() throws(SpawnedProgram.Failure) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw SpawnedProgram.Failure(call: "socketpair", errno: Glibc.errno)
        }
        return (ends[0], ends[1])
    }
}
