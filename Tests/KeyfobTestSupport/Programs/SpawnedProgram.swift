// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Runs one of the package's built programs and records what it does: the harness of transcript tests.
package struct SpawnedProgram {
    /// What a program did.
    package struct Outcome {
        /// Everything it wrote to its output; with a terminal, everything that the terminal showed.
        package var output: [UInt8]
        /// Everything it wrote to its error output; empty with a terminal.
        package var error: [UInt8]
        /// Its exit status, or 128 and the number of the signal that ended it.
        package var status: Int32

        /// The output as text.
        package var outputText: String { String(decoding: output, as: UTF8.self) }
        /// The error output as text.
        package var errorText: String { String(decoding: error, as: UTF8.self) }
    }

    /// Why a program could not be run or watched.
    package struct Failure: Error {
        package let call: String
        package let errno: Int32
    }

    /// `POSIX_SPAWN_SETSIGDEF`, `_SETSIGMASK` and `_SETSID` of spawn.h, which Swift does not import.
    private static let spawnFlags: Int16 = 0x04 | 0x08 | 0x80

    /// How long a program may take, in seconds; then it is killed and the run fails.
    private static let patience = 120

    private let path: String
    private let environment: [String]

    /// - Parameters:
    ///   - name: The product's name; it lies beside the program that runs the tests.
    ///   - environment: All that the program gets, besides the `PATH` of this process unless it names one.
    package init(_ name: String, environment: [String: String] = [:]) throws(Failure) {
        try self.init(path: Self.productsFolder() + "/" + name, environment: environment)
    }

    /// The same for any program, by its path.
    package init(path: String, environment: [String: String] = [:]) throws(Failure) {
        self.path = path
        guard unsafe access(path, X_OK) == 0 else { throw Failure(call: "access \(path)", errno: Glibc.errno) }
        let inherited = unsafe getenv("PATH").map { unsafe "PATH=" + String(cString: $0) } ?? "PATH=/usr/bin:/bin"
        let path = environment["PATH"] == nil ? [inherited] : []
        self.environment = path + environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }

    /// The folder of the built products.
    package static func productsFolder() throws(Failure) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { throw Failure(call: "readlink", errno: Glibc.errno) }
        let bytes = buffer[..<count].map { UInt8(bitPattern: $0) }
        return String(decoding: bytes[..<(bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0)], as: UTF8.self)
    }

    /// Runs it with pipes; blocks until it ends.
    package func run(_ arguments: [String], input: [UInt8] = []) throws(Failure) -> Outcome {
        let stdin = try Self.temporaryFile(holding: input)
        let stdout = try Self.temporaryFile(holding: [])
        let stderr = try Self.temporaryFile(holding: [])
        defer { for descriptor in [stdin, stdout, stderr] { close(descriptor) } }
        let pid = unsafe try spawn(arguments) { actions in
            for (number, descriptor) in [stdin, stdout, stderr].enumerated() {
                unsafe posix_spawn_file_actions_adddup2(actions, descriptor, Int32(number))
            }
        }
        let status = try Self.wait(for: pid)
        return Outcome(output: try Self.contents(stdout), error: try Self.contents(stderr), status: status)
    }

    /// Runs it on a terminal of its own; blocks until it ends.
    ///
    /// - Parameter answers: What to wait for on the screen, and what to type then; in this order.
    package func runOnTerminal(
        _ arguments: [String], answers: [(prompt: String, typed: String)] = []
    ) throws(Failure) -> Outcome {
        let (terminal, child) = try Self.openTerminal()
        defer { close(terminal) }
        let pid = unsafe try spawn(arguments) { actions in
            unsafe posix_spawn_file_actions_addopen(actions, 0, child, O_RDWR, 0)
            unsafe posix_spawn_file_actions_adddup2(actions, 0, 1)
            unsafe posix_spawn_file_actions_adddup2(actions, 0, 2)
        }
        let screen = Self.converse(terminal, answers)
        return Outcome(output: screen, error: [], status: try Self.wait(for: pid))
    }

    // MARK: - Parts

    private func spawn(
        _ arguments: [String], _ arrange: (UnsafeMutablePointer<posix_spawn_file_actions_t>) -> Void
    ) throws(Failure) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe arrange(&actions)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // A session of its own: without a terminal given, the program has none to ask. All signals as at a login: the
        // threads of the test process block some.
        var none = sigset_t()
        var all = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Self.spawnFlags)
        var argv = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        var envp = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (argv + envp).forEach { unsafe free($0) } }
        var pid: pid_t = 0
        let result = unsafe posix_spawn(&pid, path, &actions, &attributes, &argv, &envp)
        guard result == 0 else { throw Failure(call: "posix_spawn", errno: result) }
        return pid
    }

    /// A new terminal: the descriptor of its far side, and the path of the side that the program gets.
    private static func openTerminal() throws(Failure) -> (Int32, String) {
        let terminal = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var unlock: Int32 = 0
        var number: UInt32 = 0
        // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h, which Swift does not import.
        guard terminal >= 0, unsafe ioctl(terminal, 0x4004_5431, &unlock) == 0,
            unsafe ioctl(terminal, 0x8004_5430, &number) == 0
        else { throw Failure(call: "open /dev/ptmx", errno: Glibc.errno) }
        return (terminal, "/dev/pts/\(number)")
    }

    private static func wait(for pid: pid_t) throws(Failure) -> Int32 {
        var status: Int32 = 0
        var polls = patience * 100
        while true {
            let ended = unsafe waitpid(pid, &status, WNOHANG)
            if ended == pid { break }
            guard ended == 0 else { throw Failure(call: "waitpid", errno: Glibc.errno) }
            guard polls > 0 else {
                kill(-pid, SIGKILL)
                _ = unsafe waitpid(pid, &status, 0)
                throw Failure(call: "the program did not end in \(patience) s", errno: ETIMEDOUT)
            }
            polls -= 1
            usleep(10_000)
        }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    /// What the terminal shows until the program closes it, or nothing new comes for a minute.
    private static func converse(_ terminal: Int32, _ answers: [(prompt: String, typed: String)]) -> [UInt8] {
        var screen: [UInt8] = []
        var seen = 0
        var open = answers[...]
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if let answer = open.first, let end = find(Array(answer.prompt.utf8), in: screen, from: seen) {
                seen = end
                open.removeFirst()
                _ = unsafe Glibc.write(terminal, answer.typed, answer.typed.utf8.count)
                continue
            }
            var watched = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&watched, 1, 60_000) > 0 else { return screen }
            let count = unsafe read(terminal, &buffer, buffer.count)
            guard count > 0 else { return screen }
            screen += buffer[..<count]
        }
    }

    private static func find(_ needle: [UInt8], in hay: [UInt8], from start: Int) -> Int? {
        guard hay.count - start >= needle.count else { return nil }
        for position in start...(hay.count - needle.count)
        where hay[position..<(position + needle.count)].elementsEqual(needle) {
            return position + needle.count
        }
        return nil
    }

    private static func temporaryFile(holding bytes: [UInt8]) throws(Failure) -> Int32 {
        var name = Array("/tmp/keyfob-test-XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&name)
        guard descriptor >= 0 else { throw Failure(call: "mkstemp", errno: Glibc.errno) }
        unsafe unlink(name)
        guard unsafe pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw Failure(call: "pwrite", errno: Glibc.errno)
        }
        return descriptor
    }

    private static func contents(_ descriptor: Int32) throws(Failure) -> [UInt8] {
        let size = Int(lseek(descriptor, 0, SEEK_END))
        var bytes = [UInt8](repeating: 0, count: max(size, 0))
        guard unsafe pread(descriptor, &bytes, bytes.count, 0) == size else {
            throw Failure(call: "pread", errno: Glibc.errno)
        }
        return bytes
    }
}
