// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobModel
import KeyfobPlatform
import Testing

struct PrivateFolderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `A folder and its missing parents are made for the owner alone`() throws {
        try PrivateFolder.create(folder("a/b/c"))
        for path in ["a", "a/b", "a/b/c"] {
            #expect(try FileStatus.of(folder(path)).permissions == 0o700)
        }
    }

    @Test func `A relative path is made in the current folder`() async {
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            enter(path)
            try PrivateFolder.create("x/y")
            try PrivateFolder.verify("\(path)/x/y")
        }
    }

    @Test func `A private folder that is there already is taken`() throws {
        try PrivateFolder.create(folder("a"))
        try PrivateFolder.create(folder("a"))
    }

    @Test(arguments: [0o750, 0o710, 0o705, 0o701, 0o770, 0o777, 0o722] as [UInt32])
    func `A folder with rights for others is refused by its path`(mode: UInt32) throws {
        let path = folder("open")
        unsafe mkdir(path, 0o700)
        unsafe chmod(path, mode)
        let error = failure { () throws(KeychainError) in try PrivateFolder.verify(path) }
        #expect(error == KeychainError(.permissions, .open, subject: .path(path), remedy: .fixPermissions))
        #expect(failure { () throws(KeychainError) in try PrivateFolder.create(path) }?.code == .permissions)
    }

    @Test func `A folder that is not there is no keychain`() {
        let error = failure { () throws(KeychainError) in try PrivateFolder.verify(folder("none")) }
        #expect(error?.code == .keychainNotFound)
        #expect(error?.subject == .path(folder("none")))
    }

    @Test func `A file is no folder`() throws {
        let path = try folder.file("file", "")
        #expect(
            failure { () throws(KeychainError) in try PrivateFolder.verify(path) }?.cause
                == .posix(call: "stat", errno: ENOTDIR))
        #expect(failure { () throws(KeychainError) in try PrivateFolder.create(path + "/below") } != nil)
    }

    @Test func `Only this user's and root's files are private`() {
        func status(owner: UInt32) -> FileStatus {
            FileStatus(kind: .folder, permissions: 0o700, owner: owner, size: 0)
        }
        #expect(status(owner: geteuid()).isPrivate())
        #expect(status(owner: 0).isPrivate())
        #expect(!status(owner: geteuid() + 1).isPrivate())
    }
}

/// Makes a folder the current one.
private func enter(_ path: String) { unsafe precondition(chdir(path) == 0, "no such folder") }
