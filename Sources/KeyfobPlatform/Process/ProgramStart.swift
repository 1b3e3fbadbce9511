// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
// `environ` is a variable of C; it is only read, when a child is made.
@unsafe @preconcurrency internal import Glibc

/// Children that are whole programs of somebody else.
package enum ProgramStart {
    /// What changes in a child's environment: variables that it does not get, and others that it does.
    package typealias Changes = (removed: [String], added: [(name: String, value: String)])

    /// `POSIX_SPAWN_SETSIGMASK` and `_SETSID` of spawn.h, which Swift does not import.
    private static let flags: Int16 = 0x08 | 0x80

    /// Starts a service in a session of its own, out of the reach of the terminal and of signals to our process group.
    ///
    /// Its standard input and output are /dev/null, its error output is ours. It gets `descriptor` as number 3.
    ///
    /// - Parameters:
    ///   - words: the path and the arguments.
    ///   - changes: to our environment.
    /// - Returns: the number of the process, to be waited for.
    package static func service(
        _ words: [String], descriptor: Int32, _ changes: Changes
    ) throws(PosixError) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        // The same number would be inherited all the same: glibc then takes the mark off that closes it.
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, flags)
        var pid: pid_t = 0
        let result = unsafe withStrings(words, changes) { arguments, environment in
            unsafe posix_spawn(&pid, words[0], &actions, &attributes, arguments, environment)
        }
        guard result == 0 else { throw PosixError(call: "posix_spawn", errno: result) }
        return pid
    }

    /// Starts a command in our process group and with our descriptors, as if we were it; it gets SIGTERM if this
    /// process ends before.
    ///
    /// The process must have one thread.
    ///
    /// - Parameters:
    ///   - words: the command, looked up in `PATH` unless it has a slash, and its arguments.
    ///   - mask: the signals that are blocked in it.
    /// - Returns: the number of the process, to be waited for.
    /// - Throws: as execve(2): `ENOENT` if there is no such command, `EACCES` if it cannot be run.
    package static func command(
        _ words: [String], mask: SignalMask, _ changes: Changes
    ) throws(PosixError) -> Int32 {
        var set = mask.set
        let pid = unsafe withStrings(words, changes) { arguments, environment in
            unsafe keyfob_run_child(words[0], arguments, environment, &set)
        }
        guard pid > 0 else { throw .last("execve") }
        return pid
    }

    /// Lends arguments and environment as C has them; variables that are not UTF-8 pass unchanged.
    private static func withStrings<R>(
        _ words: [String], _ changes: Changes,
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>, UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
    ) -> R {
        let gone = (changes.removed + changes.added.map(\.name)).map { "\($0)=" }
        var kept: [UnsafeMutablePointer<CChar>?] = unsafe []
        var next = unsafe environ
        while let variable = unsafe next.pointee {
            let isGone = gone.contains { unsafe strncmp(variable, $0, $0.utf8.count) == 0 }
            if !isGone { unsafe kept.append(variable) }
            unsafe next = next.successor()
        }
        let arguments = unsafe words.map { unsafe strdup($0) }
        let added = unsafe changes.added.map { unsafe strdup("\($0.name)=\($0.value)") }
        defer { unsafe (arguments + added).forEach { unsafe free($0) } }
        let argumentList = unsafe arguments + [nil]
        let environmentList = unsafe kept + added + [nil]
        let result = unsafe argumentList.withUnsafeBufferPointer { words in
            unsafe environmentList.withUnsafeBufferPointer { variables in
                guard let words = words.baseAddress, let variables = variables.baseAddress else {
                    preconditionFailure("neither list is empty")
                }
                return unsafe body(words, variables)
            }
        }
        return result
    }
}
