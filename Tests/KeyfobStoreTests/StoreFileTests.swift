// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobModel
import KeyfobSQLite
import Testing

@testable import KeyfobStore

struct StoreFileTests {
    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder.file("store.db")
    }

    private func mode(_ path: String) -> UInt32? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return status.st_mode & 0o777
    }

    /// Changes the closed store behind its back.
    private func tamper(_ script: NamedStatement) throws {
        let connection = try Connection(path: path, mode: .readWrite)
        try connection.runScript(script)
    }

    private func openError() -> KeychainError? {
        #expect(throws: KeychainError.self) { try ItemStore.open(path) }
    }

    private func overwrite(at offset: Int, count: Int) {
        let file = unsafe open(path, O_WRONLY)
        let noise = [UInt8](repeating: 0xA5, count: count)
        #expect(unsafe pwrite(file, noise, count, offset) == count)
        close(file)
    }

    @Test func `A new store holds what it was created with`() throws {
        let keys = [ClassKeyRecord.sample(1), ClassKeyRecord.sample(2, generation: 4_294_967_295)]
        let store = try ItemStore.create(path, .sample, keys)
        #expect(try store.keychain() == .sample)
        #expect(try store.classKeys() == keys)
        #expect(try store.scopes() == [])
        #expect(try store.integrityFaults() == [])
    }

    @Test func `The files of a store are for their owner only`() throws {
        let store = try makeStore(folder)
        try store.add(item(1))
        #expect(mode(path) == 0o600)
        #expect(mode(path + "-wal") == 0o600)
        #expect(mode(path + "-shm") == 0o600)
    }

    @Test func `Creating where a store is fails and leaves it alone`() throws {
        let store = try makeStore(folder)
        try store.add(item(1))
        let error = #expect(throws: KeychainError.self) { try ItemStore.create(path, .sample, []) }
        #expect(error?.code == .keychainExists)
        #expect(try store.count(ItemSelection(scopes: [1])) == 1)
    }

    @Test func `What a crashed creation left does not hinder the next`() throws {
        let left = unsafe open(path + ".new", O_CREAT | O_WRONLY, 0o644)
        close(left)
        _ = try ItemStore.create(path, .sample, [])
        #expect(mode(path + ".new") == nil)
        #expect(mode(path) == 0o600)
    }

    @Test func `Creating in a folder that is not there names the folder's file`() {
        let missing = folder.path + "/none/store.db"
        let error = #expect(throws: KeychainError.self) { try ItemStore.create(missing, .sample, []) }
        #expect(error?.code == .keychainNotFound)
    }

    @Test func `A missing store is keychainNotFound and is not made`() {
        #expect(openError()?.code == .keychainNotFound)
        #expect(mode(path) == nil)
    }

    @Test func `A store that others may read is refused`() throws {
        try makeStore(folder).close()
        unsafe chmod(path, 0o640)
        let error = openError()
        #expect(error?.code == .permissions)
        #expect(error?.subject == .path(path))
        #expect(error?.remedy == .fixPermissions)
    }

    @Test func `A store of a newer version is refused and not changed`() throws {
        try makeStore(folder).close()
        try tamper(NamedStatement("newer", "PRAGMA user_version = 3"))
        #expect(openError()?.code == .storeTooNew)
    }

    @Test func `A database of another program is no store`() throws {
        try makeStore(folder).close()
        try tamper(NamedStatement("foreign", "PRAGMA application_id = 7"))
        #expect(openError()?.code == .storeDamaged)
    }

    @Test func `An empty file is no store`() {
        close(unsafe open(path, O_CREAT | O_WRONLY, 0o600))
        #expect(openError()?.code == .storeDamaged)
    }

    @Test func `A file that is no database is storeDamaged with its path`() throws {
        try makeStore(folder).close()
        overwrite(at: 0, count: 512)
        let error = openError()
        #expect(error?.code == .storeDamaged)
        #expect(error?.subject == .path(path))
        #expect(error?.remedy == .restoreFromBackup)
    }

    @Test func `A damaged page is named and the items of other pages stay readable`() throws {
        let store = try makeStore(folder)
        try store.write { (transaction) throws(KeychainError) in
            for number in 0..<200 {
                _ = try transaction.insert(item(number, value: [UInt8](repeating: 3, count: 900)))
            }
        }
        store.close()
        // Only the leaves of `items` hold so many equal bytes; the page of item 100 is one of them.
        let page = try leafPage(of: 100)
        overwrite(at: (page - 1) * 4096, count: 64)
        let damaged = try ItemStore.open(path)
        let error = #expect(throws: KeychainError.self) { try damaged.allItems(limit: 1000) }
        #expect(error?.code == .storeDamaged)
        #expect(error?.subject == .path(path))
        let first = ItemSelection(scopes: [1], kind: .key(tuple: digest(0, kind: 1)))
        #expect(try damaged.select(first, withValues: true).count == 1)
        let last = ItemSelection(scopes: [1], kind: .key(tuple: digest(199, kind: 1)))
        #expect(try damaged.select(last, withValues: true).count == 1)
        #expect(try !damaged.integrityFaults().isEmpty)
    }

    /// The page that holds the row of an item: found by its sealed attributes, which hold the number.
    private func leafPage(of number: Int) throws -> Int {
        let file = unsafe open(path, O_RDONLY)
        defer { close(file) }
        var page = [UInt8](repeating: 0, count: 4096)
        let wanted = digest(number, kind: 0xEE) + [1]
        var index = 0
        while unsafe pread(file, &page, 4096, index * 4096) == 4096 {
            index += 1
            // A leaf of a table has type 13; an item's row has its UUID, then its scope (1, stored without a byte).
            let isLeaf = page[0] == 13
            let uuid = wanted.dropLast()
            if isLeaf, (0..<4080).contains(where: { page[$0..<$0 + 16].elementsEqual(uuid) }) { return index }
        }
        throw NotFound()
    }

    private struct NotFound: Error {}

    @Test func `A store in a folder that cannot be written is refused with a reason`() throws {
        try makeStore(folder).close()
        let error = asUnprivilegedOwner { openError() }
        #expect(error?.code == .readOnly || error?.code == .permissions)
        #expect(error?.subject == .path(path))
    }

    /// Runs `body` as a user who owns the store, may read it and may not write it or its folder.
    private func asUnprivilegedOwner<R>(_ body: () -> R) -> R {
        unsafe chmod(path, 0o400)
        unsafe chmod(folder.path, 0o555)
        let isRoot = geteuid() == 0
        if isRoot {
            // Only this thread changes its file system identity.
            unsafe chown(path, 65534, 65534)
            setFileSystemUser(65534)
        }
        defer {
            if isRoot { setFileSystemUser(0) }
            unsafe chmod(folder.path, 0o700)
        }
        return body()
    }

    /// `setfsuid`, whose header is not in the Glibc module.
    private func setFileSystemUser(_ user: UInt32) {
        typealias Function = @convention(c) (UInt32) -> Int32
        guard let symbol = unsafe dlsym(nil, "setfsuid") else { preconditionFailure("no setfsuid") }
        _ = unsafe unsafeBitCast(symbol, to: Function.self)(user)
    }

    @Test func `The write-ahead log does not grow without end`() throws {
        let store = try makeStore(folder)
        var largest = 0
        for round in 0..<60 {
            try store.write { (transaction) throws(KeychainError) in
                for number in 0..<100 {
                    _ = try transaction.insert(
                        item(round * 100 + number, value: [UInt8](repeating: 1, count: 4000)))
                }
            }
            var status = stat()
            if unsafe stat(path + "-wal", &status) == 0 { largest = max(largest, Int(status.st_size)) }
        }
        #expect(largest > 0)
        #expect(largest < 24 << 20)
    }
}
