// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobClient
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import KeyfobWire
import Testing

/// Frames come as the kernel cuts them: several at once, and in pieces.
struct CoalescedAnswerTests {
    @Test(arguments: [1, 7, 11, 12, 13, 40, 4095, 4096, 4097, 1_000_000])
    func `Progress and answer are understood wherever the bytes are cut`(piece: Int) throws {
        let path = FileManager.default.temporaryDirectory.path + "/keyfob-cut-\(UInt64.random(in: 0 ... .max))"
        let listener = Listener(try ListeningSocket.listen(path))
        let server = Background { try listener.serve(piece) }
        let client = DaemonClient(sockets: [path])
        var told: [Int] = []
        let report = try client.verify { done, _ in told.append(done) }
        _ = try server.value()
        #expect(told == Array(0..<300))
        #expect(report.verified == 7)
    }

    /// A daemon of one answer.
    private final class Listener: Sendable {
        private let socket: ListeningSocket

        init(_ socket: consuming ListeningSocket) {
            self.socket = socket
        }

        func serve(_ piece: Int) throws(PosixError) {
            guard isReadable(socket.descriptor.rawValue), let connection = try socket.accept() else { return }
            let number = connection.descriptor.rawValue
            var request = [UInt8](repeating: 0, count: 512)
            guard isReadable(number), unsafe read(number, &request, request.count) >= FrameHeader.size else { return }
            send(answer(to: request), to: number, piece)
        }
    }

    /// Three hundred words of progress, which are more than one receive takes, and the answer.
    private static func answer(to request: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        guard let header = unsafe try? FrameHeader(decoding: request.span.bytes) else { return [] }
        for number in 0..<300 { bytes += plain(.progress(done: number, total: 300), header.requestID) }
        return bytes + plain(.verification(VerificationReport(verified: 7)), header.requestID)
    }

    private static func plain(_ response: consuming WireResponse, _ id: UInt32) -> [UInt8] {
        guard let frame = try? response.encoded(requestID: id) else { return [] }
        return frame.withBytes { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
    }

    private static func send(_ bytes: [UInt8], to descriptor: Int32, _ piece: Int) {
        var rest = bytes[...]
        while !rest.isEmpty {
            var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&room, 1, 30_000) > 0 else { return }
            let next = Array(rest.prefix(piece))
            let count = unsafe Glibc.send(descriptor, next, next.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func isReadable(_ descriptor: Int32) -> Bool {
        var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&one, 1, 30_000) > 0
    }
}
