// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import KeyfobWire
import Synchronization
import Testing

@testable import KeyfobDaemon

/// One connection's parts, without threads.
struct ConnectionTests {
    private let caller = Caller(uid: 1, gid: 1, pid: 1, executable: nil, unit: nil)

    private func connection(_ socket: consuming UnixSocket) -> Connection {
        Connection(socket: socket, context: ConnectionContext(id: 1, caller: caller, isOwner: true))
    }

    private func connection() throws -> Connection {
        connection(UnixSocket(owning: try Descriptor.open("/dev/null", 0)))
    }

    // MARK: - Input

    @Test(arguments: [
        (more: 1, count: 0, expected: 4096), (more: 4096, count: 0, expected: 4096),
        (more: 4097, count: 0, expected: 65536),
        (more: 70_000, count: 0, expected: 70_000), (more: 0, count: 4096, expected: 65536),
        (more: 0, count: 65536, expected: 131_072),
    ])
    func `Memory grows with what has come`(more: Int, count: Int, expected: Int) throws {
        var input = FrameInput()
        if count > 0 {
            try input.grow(to: count)
            let header = FrameHeader(length: 60 << 20, operation: 1, requestID: 1)
            let bytes = header.encoded + [UInt8](repeating: 0, count: count - 12)
            unsafe input.append(bytes.span.bytes, header: header)
        }
        let capacity = input.capacity(forMore: more)
        #expect(capacity == expected)
    }

    @Test func `Memory never grows beyond the frame`() throws {
        var input = FrameInput()
        try input.grow(to: 4096)
        let header = FrameHeader(length: 5000, operation: 1, requestID: 1)
        let bytes = header.encoded + [UInt8](repeating: 0, count: 4084)
        unsafe input.append(bytes.span.bytes, header: header)
        let capacity = input.capacity(forMore: 0)
        #expect(capacity == 5012)
    }

    @Test func `Frames are taken one by one, and what follows stays`() throws {
        var input = FrameInput()
        try input.grow(to: 4096)
        let bytes = bytes(.echo, 1, [1]) + bytes(.echo, 2, [2, 2]) + [0, 0]
        unsafe input.append(bytes.span.bytes)
        for id in 1...2 as ClosedRange<UInt32> {
            try input.readHeader()
            let frame = try input.takeFrame()
            #expect(
                frame?.withBytes { $0.array }
                    == KeyfobDaemonTests.bytes(.echo, id, [UInt8](repeating: UInt8(id), count: Int(id))))
        }
        let (count, needsTurn) = (input.count, input.needsTurn)
        #expect(count == 2)
        #expect(!needsTurn)
    }

    // MARK: - Output

    @Test func `What the socket does not take is sent later, in order`() throws {
        let pair = try UnixSocket.pair(nonBlocking: true)
        var output = FrameOutput()
        let first = try SecretBytes(copying: [UInt8](repeating: 1, count: 3 << 20))
        try output.add(first, sent: 0)
        _ = try output.flush(to: pair.left)
        try output.add(try SecretBytes(copying: [2, 2, 2]))
        var received: [UInt8] = []
        var buffer = try SecretBytes(count: 65536)
        while received.count < 3 << 20 + 3 {
            if let count = try pair.right.receive(into: &buffer) {
                received += buffer.withBytes { $0.extracting(first: count).array }
            } else {
                _ = try output.flush(to: pair.left)
            }
            if received.count == (3 << 20) + 3 { break }
        }
        let isEmpty = output.isEmpty
        #expect(isEmpty)
        #expect(received == [UInt8](repeating: 1, count: 3 << 20) + [2, 2, 2])
    }

    // MARK: - Deadlines

    @Test func `A deadline that has passed is the monitor's, and the owner learns of it`() throws {
        let connection = try connection()
        #expect(!connection.expire(Moment(nanoseconds: .max)))
        #expect(connection.take())
        connection.deadline.store(100, ordering: .relaxed)
        #expect(!connection.expire(Moment(nanoseconds: 99)))
        #expect(connection.nextDeadline == Moment(nanoseconds: 100))
        #expect(connection.expire(Moment(nanoseconds: 100)))
        #expect(!connection.expire(Moment(nanoseconds: 100)))
        #expect(connection.nextDeadline == nil)
        #expect(!connection.take())
    }

    @Test func `A connection that its owner has taken does not expire`() throws {
        let connection = try connection()
        connection.deadline.store(100, ordering: .relaxed)
        #expect(connection.take())
        #expect(!connection.expire(Moment(nanoseconds: 200)))
    }

    // MARK: - Table

    @Test func `A token is good for one connection only`() throws {
        var table = ConnectionTable()
        let (first, second) = (try connection(), try connection())
        table.insert(first)
        let token = first.token
        #expect(table[token] === first)
        #expect(table.remove(first) == true)
        #expect(table.remove(first) == false)
        table.insert(second)
        #expect(table[token] == nil)
        #expect(table[second.token] === second)
        #expect(table[77] == nil)
        #expect(table.all.count == 1)
    }

    // MARK: - Secrets

    @Test func `The buffer in which a request was handled is wiped`() throws {
        let core = try ServerCore(EchoHandler(), ServerSettings())
        let worker = Worker(id: 0, core: core)
        let path = "/tmp/keyfob-test-\(UInt64.random(in: .min ... .max)).sock"
        let listener = try ListeningSocket.listen(path)
        let client = try UnixSocket.connect(path, timeout: .seconds(120))
        guard let accepted = try listener.accept() else {
            Issue.record("nobody has connected")
            return
        }
        let connection = connection(accepted)
        #expect(core.admission.withLock { $0.connect(connection.user) })
        core.table.withLock { $0.insert(connection) }
        try core.events.add(connection.socket.descriptor, [.once], token: connection.token)
        var buffer = try SecretBytes(count: Worker.bufferSize)
        // A frame, and a part of another that is kept.
        unsafe try client.send((bytes(.echo, 1, Array("secret".utf8)) + [0, 0, 0, 7]).span.bytes)
        _ = worker.advance(connection, &buffer)
        let isWiped = buffer.withBytes { $0.array.allSatisfy { $0 == 0 } }
        #expect(isWiped)
        var answer = try SecretBytes(count: 100)
        #expect(try client.receive(into: &answer) == 18)
        let kept = connection.input.count
        #expect(kept == 4)
    }
}
