// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobModel
import KeyfobPlatform
import Testing

struct SecretFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: [
        ("1234", "1234"), ("1234\n", "1234"), ("1234\n\n", "1234\n"), ("\n", ""), ("", ""), ("12 34 ", "12 34 "),
        ("1234\r\n", "1234\r"),
    ])
    func `One newline at the end is dropped and nothing else`(text: String, secret: String) throws {
        #expect(try SecretFile.read(folder.file("pin", text)).exposed == secret)
    }

    @Test(arguments: [0o600, 0o400, 0o700] as [UInt32])
    func `A file of the owner alone is read`(mode: UInt32) throws {
        #expect(try SecretFile.read(folder.file("pin", "1", mode: mode)).exposed == "1")
    }

    @Test(arguments: [0o640, 0o620, 0o610, 0o604, 0o602, 0o601, 0o644, 0o666] as [UInt32])
    func `A file with rights for others is refused by its path`(mode: UInt32) throws {
        let path = try folder.file("pin", "1", mode: mode)
        let error = failure { () throws(KeychainError) in try SecretFile.read(path) }
        #expect(error == KeychainError(.permissions, .prompt, subject: .path(path), remedy: .fixPermissions))
    }

    @Test func `A link is judged by the file it leads to`() throws {
        unsafe symlink(try folder.file("open", "1", mode: 0o644), folder("link"))
        #expect(failure { () throws(KeychainError) in try SecretFile.read(folder("link")) }?.code == .permissions)
    }

    @Test func `A missing file is a PIN that is not given`() {
        let error = failure { () throws(KeychainError) in try SecretFile.read(folder("none")) }
        #expect(error?.code == .pinNotGiven)
        #expect(error?.cause == .posix(call: "open", errno: ENOENT))
    }

    @Test func `A folder is neither file nor pipe`() {
        #expect(failure { () throws(KeychainError) in try SecretFile.read(folder.path) }?.code == .invalidParameter)
    }

    @Test func `A device is neither file nor pipe`() {
        #expect(failure { () throws(KeychainError) in try SecretFile.read("/dev/zero") }?.code == .invalidParameter)
    }

    @Test func `A path with a zero in it is refused`() throws {
        let path = try folder.file("pin", "1")
        let error = failure { () throws(KeychainError) in try SecretFile.read(path + "\0.txt") }
        #expect(error?.cause == .posix(call: "open", errno: EINVAL))
    }

    @Test(arguments: [4095, 4096, 5000, 8192, 20_000])
    func `A file of the limit is read whole and one byte more is refused`(limit: Int) throws {
        let text = String(repeating: "x", count: limit)
        #expect(try SecretFile.read(folder.file("fits", text), limit: limit).exposed == text)
        let path = try folder.file("long", text + "x")
        #expect(
            failure { () throws(KeychainError) in try SecretFile.read(path, limit: limit) }?.code == .invalidParameter)
    }

    @Test func `A pipe is read to its end`() throws {
        let reader = try pipe(holding: "4711\n")
        #expect(try SecretFile.read("/proc/self/fd/\(reader.rawValue)").exposed == "4711")
        _ = consume reader
    }
}
