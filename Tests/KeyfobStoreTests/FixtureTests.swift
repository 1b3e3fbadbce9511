// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobModel
import Testing

@testable import KeyfobStore

/// `Tests/Fixtures/store-vN.db` was written by version N of the schema and is never changed.
struct FixtureTests {
    @Test(arguments: 1...Migration.current)
    func `A store of any version opens and holds what was written`(version: Int64) throws {
        let folder = try ScratchFolder()
        let path = folder.file("store.db")
        try copyFixture(version, to: path)
        let store = try ItemStore.open(path)
        #expect(try store.keychain() == .sample)
        #expect(try store.classKeys() == [.sample()])
        #expect(try store.scopes().map(\.digest) == [digest(1, kind: 9)])
        #expect(try store.allItems(limit: 10).map(\.uuid) == (1...3).map(uuid))
        #expect(
            try store.select(ItemSelection(scopes: [1], filters: [digest(2, kind: 2)]), withValues: true).count == 1)
        #expect(try store.integrityFaults() == [])
        try store.add(quickItem(4))
    }

    @Test func `A store of version 1 has no checkpoint of an audit log, and takes one`() throws {
        let folder = try ScratchFolder()
        let path = folder.file("store.db")
        try copyFixture(1, to: path)
        let store = try ItemStore.open(path)
        #expect(try store.auditCheckpoint() == nil)
        try store.write { (transaction) throws(KeychainError) in try transaction.setAuditCheckpoint([1, 2, 3]) }
        #expect(try store.auditCheckpoint() == [1, 2, 3])
    }

    @Test func `A store of version 2 holds its checkpoint, which the next one replaces`() throws {
        let folder = try ScratchFolder()
        let path = folder.file("store.db")
        try copyFixture(2, to: path)
        let store = try ItemStore.open(path)
        #expect(try store.auditCheckpoint() == [4, 5, 6])
        try store.write { (transaction) throws(KeychainError) in try transaction.setAuditCheckpoint([7]) }
        store.close()
        #expect(try ItemStore.open(path).auditCheckpoint() == [7])
    }

    private func copyFixture(_ version: Int64, to path: String) throws {
        let source =
            #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Fixtures/store-v\(version).db"
        let input = unsafe open(source, O_RDONLY)
        let output = unsafe open(path, O_CREAT | O_WRONLY, 0o600)
        defer {
            close(input)
            close(output)
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe read(input, &buffer, buffer.count)
        #expect(count > 0)
        #expect(unsafe write(output, buffer, count) == count)
    }
}
