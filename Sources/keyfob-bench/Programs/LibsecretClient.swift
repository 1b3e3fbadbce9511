// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The client of libsecret that stays: `scripts/bench-peers/libsecret_peer.c`, asked for one round after another.
final class LibsecretClient {
    private static let patienceSeconds = 60

    /// Kept as long as the client, which needs its bus.
    private let keyring: PrivateKeyring
    private let child: pid_t
    private let socket: Int32
    /// Microseconds a lookup.
    private var samples: [Double] = []

    /// The program that `scripts/bench` compiles where libsecret is installed, or nil.
    static var program: String? { Program.beside("keyfob-libsecret-peer") }

    init(_ program: String, _ keyring: PrivateKeyring) throws(BenchFailure) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw BenchFailure("no sockets can be made: error \(errno)")
        }
        defer { close(ends[1]) }
        var patience = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
        unsafe setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        do throws(BenchFailure) {
            child = try Program.start(
                program, [], reading: ends[1], output: ends[1], environment: keyring.environment)
        } catch {
            close(ends[0])
            throw error
        }
        socket = ends[0]
        self.keyring = keyring
    }

    deinit {
        close(socket)
        Program.end(child)
    }

    /// Takes a round's samples, or throws away one round to warm up; the first waits until the keyring answers.
    func round(isWarmUp: Bool = false) throws(BenchFailure) {
        guard unsafe send(socket, "\n", 1, Int32(MSG_NOSIGNAL)) == 1 else {
            throw BenchFailure("the client has ended")
        }
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while line.last != 0x0A {
            let count = unsafe recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { throw BenchFailure("the client does not answer") }
            line += buffer.prefix(count)
        }
        let times = line.dropLast().split(separator: 0x20).map { Double(String(decoding: $0, as: UTF8.self)) }
        guard !times.isEmpty, times.allSatisfy({ $0 != nil }) else {
            throw BenchFailure("the client answers with no times")
        }
        if !isWarmUp { samples += times.compactMap { $0.map { $0 / 1000 } } }
    }

    /// The median of all samples in microseconds.
    var median: Double { samples.median }
}
