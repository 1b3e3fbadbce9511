// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Input, output and error output of a program.
package enum StandardDescriptors {
    /// Occupies those that the program was started without, so that no file gets their numbers: what is printed later
    /// would go into it, and what it holds would be read as input.
    ///
    /// Reading or writing them stays an error (`EBADF`). Call it before any file is opened. If there is no `/dev/null`
    /// they stay closed.
    package static func occupy() {
        for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)] {
            guard fcntl(number, F_GETFD) < 0, errno == EBADF else { continue }
            // The kernel gives the lowest number that is free: this one, as those below are taken.
            let taken = unsafe open("/dev/null", mode)
            if taken >= 0, taken != number { close(taken) }
        }
    }
}
