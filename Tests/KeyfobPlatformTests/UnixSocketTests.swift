// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import Testing

struct UnixSocketTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `Where there is no socket no daemon answers`() {
        let path = folder("missing.sock")
        let error = failure { () throws(KeychainError) in try UnixSocket.connect(path, timeout: nil) }
        #expect(error?.code == .daemonNotAnswering)
        #expect(error?.subject == .daemon(path))
        #expect(error?.remedy == .startDaemon)
        #expect(error?.operation == .connect)
    }

    @Test func `A listener that never accepts is a timeout once its queue is full`() throws {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let listening = Descriptor(owning: number)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = folder("full.sock")
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = unsafe bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(listen(number, 0) == 0)
        let first = try UnixSocket.connect(path, timeout: .milliseconds(20))
        let error = failure { () throws(KeychainError) in try UnixSocket.connect(path, timeout: .milliseconds(20)) }
        #expect(error?.code == .timedOut)
        first.shutDown()
        _ = consume listening
    }

    @Test func `Another user without rights on the file may not connect`() async throws {
        try #require(geteuid() == 0, "this test becomes another user")
        let path = folder("private.sock")
        let listener = try ListeningSocket.listen(path)
        unsafe chmod(folder.path, 0o755)
        await #expect(processExitsWith: .success) { [path = path as String] in
            precondition(setgroups(0, nil) == 0 && setgid(54321) == 0 && setuid(54321) == 0)
            let error = failure { () throws(KeychainError) in try UnixSocket.connect(path, timeout: nil) }
            precondition(error?.code == .permissions)
            precondition(error?.remedy == .askOwner)
        }
        _ = consume listener
    }

    @Test func `A receiver that waits too long gets nothing`() throws {
        let pair = try UnixSocket.pair()
        try pair.left.setTimeouts(receive: .milliseconds(10), send: nil)
        var bytes = try SecretBytes(count: 8)
        #expect(try pair.left.receive(into: &bytes) == nil)
    }

    @Test func `A sender whose peer does not read fails with EAGAIN after the timeout`() throws {
        let pair = try UnixSocket.pair()
        try pair.left.setTimeouts(receive: nil, send: .milliseconds(10))
        let much = try SecretBytes(count: 8 << 20)
        #expect(throws: PosixError(call: "send", errno: EAGAIN)) {
            try much.withBytes { (bytes) throws(PosixError) in try pair.left.send(bytes) }
        }
    }

    @Test func `Sending to a peer that is gone is an error and no signal`() throws {
        let pair = try UnixSocket.pair()
        pair.right.shutDown()
        #expect(throws: PosixError(call: "send", errno: EPIPE)) {
            unsafe try pair.left.send(([1] as [UInt8]).span.bytes)
        }
    }

    @Test func `After the end of sending the answer still arrives`() throws {
        let pair = try UnixSocket.pair()
        pair.left.shutDownSending()
        var bytes = try SecretBytes(count: 8)
        #expect(try pair.right.receive(into: &bytes) == 0)
        unsafe try pair.right.send(([7, 8] as [UInt8]).span.bytes)
        #expect(try pair.left.receive(into: &bytes) == 2)
    }

    @Test func `Bytes are received where they belong and no more than wanted`() throws {
        let pair = try UnixSocket.pair()
        unsafe try pair.left.send(Array("abcdef".utf8).span.bytes)
        var bytes = try SecretBytes(copying: Array("xxxxxxxx".utf8))
        #expect(try pair.right.receive(into: &bytes, at: 2, limit: 3) == 3)
        #expect(bytes.exposed == "xxabcxxx")
    }

    @Test func `A socket that does not block takes what fits and then nothing`() throws {
        let pair = try UnixSocket.pair(nonBlocking: true)
        let much = try SecretBytes(count: 8 << 20)
        let first = try much.withBytes { (bytes) throws(PosixError) in try pair.left.sendSome(bytes) }
        #expect((first ?? 0) > 0 && (first ?? 0) < much.count)
        while try much.withBytes({ (bytes) throws(PosixError) in try pair.left.sendSome(bytes) }) != nil {}
    }

    @Test(
        arguments: [
            (ENOENT, .daemonNotAnswering), (ECONNREFUSED, .daemonNotAnswering), (EPIPE, .daemonNotAnswering),
            (ECONNRESET, .daemonNotAnswering), (EAGAIN, .timedOut), (EACCES, .permissions), (ENOMEM, .outOfMemory),
            (EINVAL, .inputOutput),
        ] as [(Int32, KeychainError.Code)])
    func `Each number of a socket's call has its code and stays as the cause`(number: Int32, code: KeychainError.Code) {
        let error = KeychainError(PosixError(call: "send", errno: number), .add, socket: "/s")
        #expect(error.code == code)
        #expect(error.cause == .posix(call: "send", errno: number))
        #expect(error.subject == .daemon("/s"))
    }
}
