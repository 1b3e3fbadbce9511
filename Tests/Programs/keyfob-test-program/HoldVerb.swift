// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobPlatform

/// Connects to a socket many times, says nothing, and waits.
enum HoldVerb {
    static func run(_ path: String, _ count: Int) throws {
        _ = DescriptorLimit.raise(to: count + 64)
        var held: [Held] = []
        for _ in 0..<count { held.append(Held(try UnixSocket.connect(path, timeout: .seconds(30)))) }
        Answer.pause("held \(count)")
        // A connection that the daemon has closed has an end to be read.
        Answer.pause("alive \(held.count { !$0.isEnded })")
    }

    private final class Held {
        private let socket: UnixSocket

        init(_ socket: consuming UnixSocket) {
            self.socket = socket
        }

        var isEnded: Bool {
            var one = pollfd(fd: socket.descriptor.rawValue, events: Int16(POLLIN), revents: 0)
            return unsafe poll(&one, 1, 0) != 0
        }
    }
}
