// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobModel
import KeyfobSystemd
import KeyfobTestSupport
import Testing

/// Each in a process of its own: what is taken from the environment is gone.
struct ManagerEnvironmentTests {
    @Test func `Without a manager there are no sockets and nobody watches`() async {
        await #expect(processExitsWith: .success) {
            for name in ["LISTEN_PID", "LISTEN_FDS", "WATCHDOG_USEC"] { unsafe unsetenv(name) }
            exit(try SocketActivation.take().isEmpty && Watchdog.takeInterval() == nil ? 0 : 1)
        }
    }

    @Test func `Sockets for another process are not ours`() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("LISTEN_PID", "1", 1)
            unsafe setenv("LISTEN_FDS", "1", 1)
            exit(try SocketActivation.take().isEmpty ? 0 : 1)
        }
    }

    @Test func `A descriptor that does not listen is refused by its name`() async {
        await #expect(processExitsWith: .success) {
            unsafe dup2(open("/dev/null", O_RDONLY), 3)
            unsafe setenv("LISTEN_PID", "\(getpid())", 1)
            unsafe setenv("LISTEN_FDS", "1", 1)
            unsafe setenv("LISTEN_FDNAMES", "door", 1)
            do throws(KeychainError) {
                _ = try SocketActivation.take()
            } catch {
                guard error.code == .configurationInvalid, case .format(let place, _) = error.cause else { exit(2) }
                exit(place == "descriptor 3 (door)" ? 0 : 3)
            }
            exit(1)
        }
    }

    @Test func `Two sockets come with their names, are closed on exec, and come once`() async {
        await #expect(processExitsWith: .success) {
            for number: Int32 in [3, 4] {
                let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                // Bound to a name that the kernel chooses.
                var family = sa_family_t(AF_UNIX)
                let isBound = unsafe withUnsafeMutablePointer(to: &family) {
                    unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sa_family_t>.size)) == 0
                    }
                }
                guard isBound, listen(descriptor, 1) == 0 else { exit(4) }
                if descriptor != number { dup2(descriptor, number) }
            }
            unsafe setenv("LISTEN_PID", "\(getpid())", 1)
            unsafe setenv("LISTEN_FDS", "2", 1)
            unsafe setenv("LISTEN_FDNAMES", "keyfobd:other", 1)
            let sockets = try SocketActivation.take()
            guard sockets.map(\.name) == ["keyfobd", "other"], sockets.map(\.descriptor) == [3, 4] else { exit(1) }
            guard sockets.allSatisfy({ fcntl($0.descriptor, F_GETFD) & FD_CLOEXEC != 0 }) else { exit(2) }
            exit(try SocketActivation.take().isEmpty ? 0 : 3)
        }
    }

    @Test func `The watchdog's interval counts for the process it names`() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("WATCHDOG_USEC", "3000000", 1)
            unsafe setenv("WATCHDOG_PID", "\(getpid())", 1)
            guard Watchdog.takeInterval() == .seconds(3), Watchdog.takeInterval() == nil else { exit(1) }
            unsafe setenv("WATCHDOG_USEC", "3000000", 1)
            unsafe setenv("WATCHDOG_PID", "1", 1)
            exit(Watchdog.takeInterval() == nil ? 0 : 2)
        }
    }
}
