// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
internal import KeyfobSQLite

/// What a body given to `ItemStore.write` may do.
///
/// All of it is on the disk when `write` returns, or none of it.
///
/// Every function throws `KeychainError` with the codes of `KeychainError+SQLite.swift`; further codes are named at each.
package struct StoreTransaction: ~Copyable {
    let connection: Connection
    let ids: ItemNumbers
    let operation: KeychainError.Operation
    let path: String

    /// The number of the scope with that digest, made if there is none.
    ///
    /// Do not keep it beyond the body unless `write` returned.
    package func scope(digest: [UInt8], sealed: [UInt8]) throws(KeychainError) -> Int64 {
        try sql { () throws(SQLiteError) in
            let known = try connection.statement(KeyStatements.selectScope)
            try known.bind(1, digest)
            if try known.step() { return known.integer(0) }
            let row = try connection.statement(KeyStatements.insertScope)
            try row.bind(1, digest)
            try row.bind(2, sealed)
            guard try row.step() else { throw SQLiteError(.misuse, statement: "insertScope") }
            let id = row.integer(0)
            try row.finish()
            return id
        }
    }

    /// Adds an item; its number.
    ///
    /// - Throws: `.duplicateItem` if (scope, tuple, extra) or the UUID is taken; nothing was changed then.
    package func insert(_ item: NewItem) throws(KeychainError) -> Int64 {
        let digests = try digestList(item)
        let id = ids.next()
        try sql { () throws(SQLiteError) in
            let row = try connection.statement(ItemStatements.insertItem)
            try row.bind(1, id)
            try row.bind(2, item.uuid.bytes)
            try row.bind(3, item.scope)
            try bindContent(item, digests, from: 4, row)
            try row.bind(12, item.value)
            try row.finish()
            try insertDigests(digests.digests, scope: item.scope, item: id)
        }
        return id
    }

    /// Makes the item with that number what `item` says, if its revision is still `revision`; its UUID stays.
    ///
    /// - Parameter keepingValue: leaves the stored value and ignores `item.value`.
    /// - Returns: false, and nothing changed, if the item has another revision or is gone.
    /// - Throws: `.duplicateItem` if another item has the new (scope, tuple, extra).
    package func replace(
        _ id: Int64, expecting revision: Int64, with item: NewItem, keepingValue: Bool = false
    ) throws(KeychainError) -> Bool {
        let new = try digestList(item)
        guard let old = try read({ (reader) throws(ReadFault) in try reader.place(of: id) }) else { return false }
        return try sql { () throws(SQLiteError) in
            if old.place == ItemPlace(of: item) {
                try replaceInPlace(id, revision, item, new, keepingValue)
            } else {
                try replaceAndMove(id, revision, item, new, keepingValue)
            }
            guard connection.changes == 1 else { return false }
            let sameScope = old.place.scope == item.scope
            let before = Set(old.list.digests)
            let after = Set(new.digests)
            let gone = old.list.digests.filter { !sameScope || !after.contains($0) }
            try deleteSearchRows(gone.map { SearchRow(scope: old.place.scope, digest: $0, item: id) })
            try insertDigests(
                new.digests.filter { !sameScope || !before.contains($0) }, scope: item.scope, item: id)
            return true
        }
    }

    /// Deletes the items with those numbers; how many there were.
    ///
    /// Needs no key, so it works while locked.
    package func delete(_ ids: [Int64]) throws(KeychainError) -> Int {
        let ids = ids.count > 1 ? ids.sorted() : ids
        var deleted = 0
        for start in stride(from: 0, to: ids.count, by: Self.deletionChunk) {
            deleted += try delete(ids[start..<min(start + Self.deletionChunk, ids.count)])
        }
        return deleted
    }

    /// Items whose search rows are held in memory at once while many are deleted.
    private static var deletionChunk: Int { 50_000 }

    private func delete(_ ids: ArraySlice<Int64>) throws(KeychainError) -> Int {
        var rows: [SearchRow] = []
        for id in ids {
            guard let (scope, list) = try read({ (reader) throws(ReadFault) in try reader.digests(of: id) })
            else { continue }
            for digest in list.digests { rows.append(SearchRow(scope: scope, digest: digest, item: id)) }
        }
        // In the order of the index: many rows then share each page that is read and written.
        if ids.count > 1 { rows.sort() }
        return try sql { () throws(SQLiteError) in
            try deleteSearchRows(rows)
            let row = try connection.statement(ItemStatements.deleteItem)
            var deleted = 0
            for id in ids {
                try row.bind(1, id)
                try row.finish()
                deleted += connection.changes
            }
            return deleted
        }
    }

    private func deleteSearchRows(_ rows: [SearchRow]) throws(SQLiteError) {
        guard !rows.isEmpty else { return }
        let statement = try connection.statement(ItemStatements.deleteDigest)
        for row in rows {
            try statement.bind(1, row.scope)
            try row.withDigest { (digest) throws(SQLiteError) in try statement.bind(2, digest) }
            try statement.bind(3, row.item)
            try statement.finish()
        }
    }

    // MARK: - Shared

    /// Runs SQL and gives its error the store's meaning.
    ///
    /// Refuses when SQLite has ended the transaction by itself, as it does when the disk is full: what followed would
    /// be committed alone.
    func sql<R>(_ body: () throws(SQLiteError) -> R) throws(KeychainError) -> R {
        guard connection.isInTransaction else {
            throw KeychainError(
                .internalError, operation, subject: .path(path),
                cause: .sqlite(statement: "transaction", code: ResultCode.misuse.rawValue))
        }
        do { return try body() } catch { throw KeychainError(error, operation, path: path) }
    }

    func read<R>(_ body: (ItemReader) throws(ReadFault) -> R) throws(KeychainError) -> R {
        do { return try body(ItemReader(connection: connection)) } catch {
            throw KeychainError(error, operation, path: path)
        }
    }

    private func digestList(_ item: NewItem) throws(KeychainError) -> DigestList {
        guard let list = DigestList(item.searchDigests) else {
            throw KeychainError(
                .internalError, operation, subject: .path(path),
                cause: .format(place: "search digest", fault: "not 16 bytes"))
        }
        return list
    }

    private func replaceInPlace(
        _ id: Int64, _ revision: Int64, _ item: NewItem, _ digests: DigestList, _ keepingValue: Bool
    ) throws(SQLiteError) {
        let row = try connection.statement(
            keepingValue ? ItemStatements.updateItemInPlaceKeepingValue : ItemStatements.updateItemInPlace)
        try row.bind(1, id)
        try row.bind(2, revision)
        try row.bind(3, item.accessControl)
        try row.bind(4, item.revision)
        try row.bind(5, digests.stored)
        try row.bind(6, item.metadata)
        if !keepingValue { try row.bind(7, item.value) }
        try row.finish()
    }

    private func replaceAndMove(
        _ id: Int64, _ revision: Int64, _ item: NewItem, _ digests: DigestList, _ keepingValue: Bool
    ) throws(SQLiteError) {
        let row = try connection.statement(
            keepingValue ? ItemStatements.updateItemKeepingValue : ItemStatements.updateItem)
        try row.bind(1, id)
        try row.bind(2, revision)
        try row.bind(3, item.scope)
        try bindContent(item, digests, from: 4, row)
        if !keepingValue { try row.bind(12, item.value) }
        try row.finish()
    }

    private func bindContent(
        _ item: NewItem, _ digests: DigestList, from first: Int32, _ row: borrowing Statement
    ) throws(SQLiteError) {
        try row.bind(first, item.tuple)
        try row.bind(first + 1, item.extra)
        try row.bind(first + 2, Int64(item.classKey))
        try row.bind(first + 3, Int64(item.generation))
        try row.bind(first + 4, item.accessControl)
        try row.bind(first + 5, item.revision)
        try row.bind(first + 6, digests.stored)
        try row.bind(first + 7, item.metadata)
    }

    private func insertDigests(_ digests: [[UInt8]], scope: Int64, item: Int64) throws(SQLiteError) {
        guard !digests.isEmpty else { return }
        let row = try connection.statement(ItemStatements.insertDigest)
        try row.bind(1, scope)
        try row.bind(3, item)
        for digest in digests {
            try row.bind(2, digest)
            try row.finish()
        }
    }
}
