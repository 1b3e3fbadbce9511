// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobModel

extension Caller {
    /// The process that connected to this socket, from the kernel alone.
    ///
    /// Ids and groups are those of the moment of connecting, and are certain. Start time, program and unit are read now,
    /// while a handle keeps the process apart from any other that gets its number; a process that is gone has none, and
    /// one of another user shows its program to root only. A program that replaces itself (execve) keeps the connection
    /// and is seen as what it runs now: `executable` tells apart the programs that a user means well with, it is no wall
    /// between two programs of the same user. Does not block.
    ///
    /// Before Linux 6.5 the kernel names the process by its number alone, which may be another's by now. One that started
    /// after this call, or has not the very ids and groups that connected, is then taken for gone; one that has them and
    /// got the number in the meantime is not noticed: unit and program are then sure up to processes of the same user.
    ///
    /// - Throws: what getsockopt(2) says of a descriptor that is no connected socket; `EMFILE`, `ENFILE` and `ENOMEM` if
    ///   this process cannot find out who it is.
    package static func peer(of socket: borrowing UnixSocket) throws(PosixError) -> Caller {
        try peer(of: socket, handle: ProcessHandle.ofPeer)
    }

    /// The same, with what the kernel answers to `SO_PEERPIDFD`: `ENOPROTOOPT` is what an older one says.
    static func peer(
        of socket: borrowing UnixSocket, handle: (borrowing Descriptor) throws(PosixError) -> ProcessHandle
    ) throws(PosixError) -> Caller {
        let accepted = ProcessTicks.now
        guard let peer = PeerCredentials.of(socket.descriptor) else { throw .last("getsockopt") }
        let groups = PeerCredentials.groups(of: socket.descriptor)
        let gone = Caller(
            uid: peer.uid, gid: peer.gid, groups: groups, pid: peer.pid, executable: nil, unit: nil)
        guard peer.pid > 0 else { return gone }
        let process: ProcessHandle
        var isCertain = true
        do throws(PosixError) {
            process = try handle(socket.descriptor)
        } catch {
            guard !error.isShortage else { throw error }
            guard error.errno == ENOPROTOOPT else { return gone }
            isCertain = false
            do throws(PosixError) {
                process = try ProcessHandle.open(peer.pid)
            } catch {
                guard !error.isShortage else { throw error }
                return gone
            }
        }
        let facts = ProcessFacts(pid: peer.pid)
        let (startTime, executable, unit) = (try facts.startTime(), facts.executable, try facts.unit())
        if !isCertain {
            guard try facts.canHaveConnected(as: peer, groups: groups, before: accepted) else { return gone }
        }
        guard process.isRunning, startTime > 0 else { return gone }
        return Caller(
            uid: peer.uid, gid: peer.gid, groups: groups, pid: peer.pid, startTime: startTime, executable: executable,
            unit: unit)
    }

    /// A running process, as the daemon would see it if it connected now.
    ///
    /// - Throws: `.invalidParameter` with the number as subject if there is no such process, or it ends meanwhile.
    package static func of(
        pid: Int32, _ operation: KeychainError.Operation = .status
    ) throws(KeychainError) -> Caller {
        let facts = ProcessFacts(pid: pid)
        do throws(PosixError) {
            let process = try ProcessHandle.open(pid)
            let (startTime, executable, unit) = (try facts.startTime(), facts.executable, try facts.unit())
            guard let identity = try facts.identity(), process.isRunning else {
                throw PosixError(call: "pidfd_open", errno: ESRCH)
            }
            return Caller(
                uid: identity.uid, gid: identity.gid, groups: identity.groups, pid: pid, startTime: startTime,
                executable: executable, unit: unit)
        } catch {
            throw KeychainError(
                .invalidParameter, operation, subject: .parameter("\(pid)"),
                cause: .posix(call: error.call, errno: error.errno))
        }
    }
}

/// The clock in which the kernel tells when a process started.
enum ProcessTicks {
    /// Clock ticks since the machine started, suspended time counted (proc(5), `starttime`).
    static var now: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        let perSecond = UInt64(max(sysconf(Int32(_SC_CLK_TCK)), 1))
        return UInt64(time.tv_sec) * perSecond + UInt64(time.tv_nsec) * perSecond / 1_000_000_000
    }
}
