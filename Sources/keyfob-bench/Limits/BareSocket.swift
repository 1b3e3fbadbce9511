// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobMemory
internal import KeyfobPlatform

/// A Unix-socket round trip and nothing else: a thread at the other end sends back as many bytes as an answer has.
final class BareSocket {
    private let near: UnixSocket
    private let answerSize: Int
    private let request: SecretBytes
    private var answer: SecretBytes

    /// - Parameters:
    ///   - requestSize: bytes that go out.
    ///   - answerSize: bytes that come back.
    init(requestSize: Int, answerSize: Int) throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw BenchFailure("no socket pair: error \(errno)")
        }
        near = UnixSocket(owning: Descriptor(owning: ends[0]))
        self.answerSize = answerSize
        request = try SecretBytes(count: requestSize)
        answer = try SecretBytes(count: answerSize)
        let far = UnixSocket(owning: Descriptor(owning: ends[1]))
        let echo = Echo(far, requestSize: requestSize, answerSize: answerSize)
        try OwnThread("bench-echo") { echo.run() }.letGo()
    }

    /// One round trip.
    func roundTrip() throws {
        try request.withBytes { (bytes) throws(PosixError) in try near.send(bytes) }
        var count = 0
        while count < answerSize {
            guard let more = try near.receive(into: &answer, at: count), more > 0 else {
                throw BenchFailure("the echo ended")
            }
            count += more
        }
    }

    private final class Echo: Sendable {
        private let socket: UnixSocket
        private let requestSize: Int
        private let answerSize: Int

        init(_ socket: consuming UnixSocket, requestSize: Int, answerSize: Int) {
            self.socket = socket
            self.requestSize = requestSize
            self.answerSize = answerSize
        }

        /// Until the other end closes.
        func run() {
            // Nobody asks for a figure of it then.
            try? serve()
        }

        private func serve() throws {
            let answer = try SecretBytes(count: answerSize)
            var request = try SecretBytes(count: requestSize)
            var count = 0
            while let more = try socket.receive(into: &request, at: count), more > 0 {
                count += more
                guard count == requestSize else { continue }
                count = 0
                try answer.withBytes { (bytes) throws(PosixError) in try socket.send(bytes) }
            }
        }
    }
}
