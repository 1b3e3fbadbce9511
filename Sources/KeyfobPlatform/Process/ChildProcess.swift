// SPDX-License-Identifier: Apache-2.0
// `environ` is a variable of C; it is only read, when the child is made.
@unsafe @preconcurrency internal import Glibc

/// A program of its own that talks over its standard input and output, which are one socket.
///
/// A socket and not two pipes, so that writing to a child that has ended is an error and no SIGPIPE. The child inherits
/// the environment and standard error, nothing else. Letting go of it closes the socket, asks it to end (SIGTERM) and waits.
struct ChildProcess: ~Copyable {
    private let pid: pid_t
    private let socket: Descriptor

    /// Starts `program`, looked up in `PATH` if it is a bare name.
    static func start(_ program: String) throws(PosixError) -> ChildProcess {
        let ends = try Descriptor.socketPair()
        let ours = Descriptor(owning: ends.0)
        let theirs = Descriptor(owning: ends.1)
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, theirs.rawValue, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, theirs.rawValue, STDOUT_FILENO)
        var pid: pid_t = 0
        let name = unsafe strdup(program)
        defer { unsafe free(name) }
        let result = unsafe posix_spawnp(&pid, program, &actions, nil, [name, nil], environ)
        guard result == 0 else { throw PosixError(call: "posix_spawn", errno: result) }
        return ChildProcess(pid: pid, socket: ours)
    }

    deinit {
        // It may be waiting for input, or for a person that nobody listens to any more.
        shutdown(socket.rawValue, Int32(SHUT_RDWR))
        kill(pid, SIGTERM)
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    }

    /// Writes all of it to the child.
    func send(_ bytes: [UInt8]) throws(PosixError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(socket.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw .last("send")
            }
        }
    }

    /// Reads what the child has written, at most the buffer; 0 if it has ended.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(PosixError) -> Int {
        unsafe try socket.read(into: buffer)
    }
}
