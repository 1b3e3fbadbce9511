// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import Testing

struct ListeningSocketTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder("keyfobd.sock")
    }

    @Test func `What is sent to a socket arrives at who accepts`() throws {
        let listener = try ListeningSocket.listen(path)
        let client = try UnixSocket.connect(path, timeout: .seconds(30))
        unsafe try client.send(Array("hello".utf8).span.bytes)
        let server = try listener.accepted()
        var bytes = try SecretBytes(count: 16)
        #expect(try server.receive(into: &bytes) == 5)
        #expect(bytes.exposed.hasPrefix("hello"))
    }

    @Test func `Without a connection accept returns nothing and does not wait`() throws {
        let listener = try ListeningSocket.listen(path)
        #expect(throws: ListeningSocket.Nobody.self) { _ = try listener.accepted() }
    }

    @Test(arguments: [0o600, 0o660, 0o666] as [UInt32])
    func `The file has the permission bits that were asked for, whatever the umask`(mode: UInt32) throws {
        let listener = try ListeningSocket.listen(path, mode: mode)
        #expect(try FileStatus.of(path).permissions == mode)
        _ = consume listener
    }

    @Test func `The file is given to the group`() throws {
        let listener = try ListeningSocket.listen(path, mode: 0o660, group: 4242)
        var status = stat()
        unsafe stat(path, &status)
        #expect(status.st_gid == 4242)
        _ = consume listener
    }

    @Test func `Nothing else is left in the folder`() throws {
        let listener = try ListeningSocket.listen(path)
        #expect(try allNames() == ["keyfobd.sock"])
        _ = consume listener
        #expect(try allNames().isEmpty)
    }

    @Test func `A socket at which nobody answers gives way`() throws {
        try leaveStaleSocket()
        let listener = try ListeningSocket.listen(path)
        let client = try UnixSocket.connect(path, timeout: nil)
        let server = try listener.accepted()
        #expect(try allNames() == ["keyfobd.sock"])
        server.shutDown()
        _ = consume client
    }

    @Test func `Where somebody answers nobody else may listen, and the error names the process`() throws {
        let first = try ListeningSocket.listen(path)
        let error = failure { () throws(KeychainError) in try ListeningSocket.listen(path) }
        #expect(error?.code == .keychainInUse)
        #expect(error?.subject == .daemon(path))
        #expect(error?.cause == .process(pid: getpid()))
        #expect(error?.remedy == .stopOwner(pid: getpid()))
        _ = try UnixSocket.connect(path, timeout: nil)
        _ = consume first
    }

    @Test func `A socket whose owner is too busy to accept is not stale`() throws {
        let number = try boundSocket()
        defer { close(number) }
        #expect(listen(number, 0) == 0)
        let waiting = try UnixSocket.connect(path, timeout: nil)
        #expect(failure { () throws(KeychainError) in try ListeningSocket.listen(path) }?.code == .keychainInUse)
        #expect(try FileStatus.of(path).kind == .other)
        _ = consume waiting
    }

    @Test func `A file that is no socket stays`() throws {
        _ = try folder.file("keyfobd.sock", "precious")
        let error = failure { () throws(KeychainError) in try ListeningSocket.listen(path) }
        #expect(error?.code == .invalidParameter)
        #expect(error?.cause == .posix(call: "bind", errno: ENOTSOCK))
        #expect(contents(path) == "precious")
    }

    @Test func `A link to a socket stays`() throws {
        unsafe symlink(folder("elsewhere"), path)
        #expect(failure { () throws(KeychainError) in try ListeningSocket.listen(path) }?.code == .invalidParameter)
    }

    @Test func `Of many that listen at once after a crash exactly one wins`() throws {
        try leaveStaleSocket()
        let path = path
        let listening = (0..<8).map { _ in
            Background { () -> ListenerBox? in
                // Losing is an answer.
                guard let listener = try? ListeningSocket.listen(path) else { return nil }
                return ListenerBox(listener)
            }
        }
        let won = listening.map { $0.join() ?? nil }
        #expect(won.filter { $0 != nil }.count == 1)
        _ = try UnixSocket.connect(path, timeout: nil)
        #expect(try allNames() == ["keyfobd.sock"])
    }

    @Test func `Letting go removes the file, unless another has its name`() throws {
        let first = try ListeningSocket.listen(path)
        unsafe rename(path, folder("moved"))
        let second = try ListeningSocket.listen(path)
        _ = consume first
        _ = try UnixSocket.connect(path, timeout: nil)
        _ = consume second
        #expect(try allNames() == ["moved"])
    }

    @Test func `A path longer than an address is reached by way of its folder`() throws {
        let deep = folder(String(repeating: "d", count: 120))
        unsafe mkdir(deep, 0o700)
        let listener = try ListeningSocket.listen(deep + "/keyfobd.sock")
        let client = try UnixSocket.connect(deep + "/keyfobd.sock", timeout: nil)
        let server = try listener.accepted()
        server.shutDown()
        _ = consume client
    }

    @Test func `A name longer than an address is an error that says so`() {
        let long = folder(String(repeating: "n", count: 120))
        let error = failure { () throws(KeychainError) in try UnixSocket.connect(long, timeout: nil) }
        #expect(error?.cause == .posix(call: "bind", errno: ENAMETOOLONG))
        #expect(error?.subject == .daemon(long))
    }

    @Test func `A path with a zero in it is no address`() {
        let error = failure { () throws(KeychainError) in try UnixSocket.connect("/tmp/a\0b", timeout: nil) }
        #expect(error?.cause == .posix(call: "bind", errno: EINVAL))
    }

    @Test func `In a folder where this user may make no files nobody can listen`() {
        let error = failure { () throws(KeychainError) in try ListeningSocket.listen("/proc/keyfobd.sock") }
        #expect(error?.subject == .daemon("/proc/keyfobd.sock"))
        #expect(error?.code == .inputOutput || error?.code == .permissions)
    }

    // MARK: - Adopting

    @Test func `A socket that somebody else listens on is taken over and its file stays`() throws {
        let number = try boundSocket()
        #expect(listen(number, 8) == 0)
        let listener = try ListeningSocket.adopt(Descriptor(owning: number))
        #expect(listener.path == path)
        #expect(fcntl(listener.descriptor.rawValue, F_GETFD) == FD_CLOEXEC)
        let client = try UnixSocket.connect(path, timeout: nil)
        let server = try listener.accepted()
        server.shutDown()
        _ = consume client
        _ = consume listener
        #expect(try allNames() == ["keyfobd.sock"])
    }

    @Test func `A socket that does not listen is not taken over`() throws {
        let number = try boundSocket()
        let error = failure { () throws(KeychainError) in try ListeningSocket.adopt(Descriptor(owning: number)) }
        #expect(error?.code == .invalidParameter)
    }

    @Test(arguments: [AF_INET, AF_UNIX])
    func `Neither a socket of the network nor one for datagrams is taken over`(domain: Int32) throws {
        let kind = domain == AF_INET ? SOCK_STREAM : SOCK_DGRAM
        let number = socket(domain, Int32(kind.rawValue), 0)
        if domain == AF_INET { listen(number, 1) }
        let error = failure { () throws(KeychainError) in try ListeningSocket.adopt(Descriptor(owning: number)) }
        #expect(error?.code == .invalidParameter)
    }

    // MARK: - Parts

    private func boundSocket() throws -> Int32 {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw PosixError.last("bind") }
        return number
    }

    private func leaveStaleSocket() throws { close(try boundSocket()) }

    private func allNames() throws -> [String] {
        guard let directory = unsafe opendir(folder.path) else { throw PosixError.last("opendir") }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let found = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: found.pointee.d_name) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// A listener that several threads hand around.
private final class ListenerBox: Sendable {
    let listener: ListeningSocket

    init(_ listener: consuming ListeningSocket) {
        self.listener = listener
    }
}
