// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobModel
import KeyfobPlatform
import Testing

struct OwnerLockTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder("owner.lock")
    }

    @Test func `The file names its holder and is nobody else's to read`() throws {
        let lock = try OwnerLock.acquire(path)
        #expect(contents(path) == "\(getpid())\n")
        #expect(try FileStatus.of(path).permissions == 0o600)
        _ = consume lock
    }

    @Test func `A second owner is refused and told who holds it`() throws {
        let lock = try OwnerLock.acquire(path)
        let error = failure { () throws(KeychainError) in try OwnerLock.acquire(path) }
        #expect(error?.code == .keychainInUse)
        #expect(error?.subject == .path(path))
        #expect(error?.cause == .process(pid: getpid()))
        #expect(error?.remedy == .stopOwner(pid: getpid()))
        _ = consume lock
    }

    @Test func `The lock is free again when its holder lets go`() throws {
        do {
            let lock = try OwnerLock.acquire(path)
            _ = consume lock
        }
        _ = try OwnerLock.acquire(path)
    }

    @Test func `Another process is refused and told who holds it`() async throws {
        let lock = try OwnerLock.acquire(path)
        await #expect(processExitsWith: .success) { [path = path as String] in
            let error = failure { () throws(KeychainError) in try OwnerLock.acquire(path) }
            precondition(error?.code == .keychainInUse)
            precondition(error?.cause == .process(pid: getppid()))
        }
        _ = consume lock
    }

    @Test func `The lock of a process that was killed is free, whatever its file says`() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let lock = try OwnerLock.acquire(path)
            kill(getpid(), SIGKILL)
            _ = consume lock
        }
        #expect(contents(path) != nil)
        _ = try OwnerLock.acquire(path)
        #expect(contents(path) == "\(getpid())\n")
    }

    @Test func `A file that names nobody still means that the keychain is in use`() throws {
        let lock = try OwnerLock.acquire(path)
        unsafe truncate(path, 0)
        let error = failure { () throws(KeychainError) in try OwnerLock.acquire(path) }
        #expect(error?.code == .keychainInUse)
        #expect(error?.remedy == nil)
        _ = consume lock
    }

    @Test func `A lock file that is a link is not followed`() throws {
        unsafe symlink(folder("elsewhere"), path)
        #expect(
            failure { () throws(KeychainError) in try OwnerLock.acquire(path) }?.cause
                == .posix(call: "open", errno: ELOOP))
        #expect(contents(folder("elsewhere")) == nil)
    }

    @Test func `Without the folder there is no keychain`() {
        let error = failure { () throws(KeychainError) in try OwnerLock.acquire(folder("missing/owner.lock")) }
        #expect(error?.code == .keychainNotFound)
        #expect(error?.remedy == .createKeychain)
    }
}
