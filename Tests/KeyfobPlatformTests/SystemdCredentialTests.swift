// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import KeyfobPlatform
import Testing

struct SystemdCredentialTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: [0o400, 0o440] as [UInt32])
    func `A credential is read as systemd leaves it`(mode: UInt32) throws {
        _ = try folder.file("token-pin", "4711\n", mode: mode)
        #expect(SystemdCredential.path("token-pin", folder: folder.path) == folder("token-pin"))
        #expect(try SystemdCredential.read("token-pin", folder: folder.path).exposed == "4711")
    }

    @Test(arguments: [0o444, 0o460, 0o402] as [UInt32])
    func `A credential that others may read or the group may write is refused`(mode: UInt32) throws {
        _ = try folder.file("token-pin", "4711", mode: mode)
        let error = failure { () throws(KeychainError) in
            try SystemdCredential.read("token-pin", folder: folder.path)
        }
        #expect(error?.code == .permissions)
    }

    @Test func `Outside of a service there is no credential`() {
        #expect(SystemdCredential.path("token-pin", folder: nil) == nil)
        let error = failure { () throws(KeychainError) in try SystemdCredential.read("token-pin", folder: nil) }
        #expect(error?.code == .pinNotGiven)
    }

    @Test func `A credential that is not there has no path and is not given`() {
        #expect(SystemdCredential.path("token-pin", folder: folder.path) == nil)
        let error = failure { () throws(KeychainError) in
            try SystemdCredential.read("token-pin", folder: folder.path)
        }
        #expect(error?.code == .pinNotGiven)
    }

    @Test(arguments: ["", ".", "..", "../secret", "a/b"])
    func `A name cannot lead out of the folder`(name: String) throws {
        _ = try folder.file("secret", "4711")
        let inner = folder("credentials")
        try PrivateFolder.create(inner)
        #expect(SystemdCredential.path(name, folder: inner) == nil)
        let error = failure { () throws(KeychainError) in try SystemdCredential.read(name, folder: inner) }
        #expect(error?.code == .pinNotGiven)
    }
}
