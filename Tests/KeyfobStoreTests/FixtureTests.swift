// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobModel
import Testing

@testable import KeyfobStore

/// `Tests/Fixtures/store-v1.db` was written by the first version of the schema and is never changed.
struct FixtureTests {
    @Test func `A store of version 1 opens and holds what was written`() throws {
        let folder = try ScratchFolder()
        let path = folder.file("store.db")
        try copyFixture(to: path)
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

    private func copyFixture(to path: String) throws {
        let source = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Fixtures/store-v1.db"
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
