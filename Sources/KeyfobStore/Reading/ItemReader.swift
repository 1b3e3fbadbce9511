// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobSQLite

/// Why a read failed: SQLite's error, or a row that is not what the schema promises.
enum ReadFault: Error {
    case sqlite(SQLiteError)
    case malformedRow(String)

    /// Runs `body` and makes its SQLite error a `ReadFault`.
    static func wrapping<R: ~Copyable>(_ body: () throws(SQLiteError) -> R) throws(ReadFault) -> R {
        do { return try body() } catch { throw .sqlite(error) }
    }
}

/// Reads items and keys on one connection, inside the caller's transaction if there is one.
struct ItemReader {
    let connection: Connection

    /// The items that fit, by ascending number.
    func select(
        _ selection: ItemSelection, after: Int64, limit: Int?, withValues: Bool
    ) throws(ReadFault) -> [SealedItem] {
        if case .key(let tuple) = selection.kind, selection.scopes.count == 1, selection.filters.isEmpty,
            limit.map({ $0 > 0 }) ?? true
        {
            return try byKey(selection, tuple, after, limit, withValues)
        }
        let finder = ItemFinder(connection: connection, selection: selection, after: after, limit: limit)
        let ids = try ReadFault.wrapping { () throws(SQLiteError) in try finder.ids() }
        var items: [SealedItem] = []
        items.reserveCapacity(ids.count)
        for id in ids {
            if let item = try item(id, withValue: withValues) { items.append(item) }
        }
        return items
    }

    /// How many items fit.
    func count(_ selection: ItemSelection) throws(ReadFault) -> Int {
        try ReadFault.wrapping { () throws(SQLiteError) in
            if case .all = selection.kind, selection.filters.isEmpty, selection.classKey == nil {
                var total: Int64 = 0
                for scope in selection.scopes {
                    let row = try connection.statement(ItemStatements.countScope)
                    try row.bind(1, scope)
                    if try row.step() { total += row.integer(0) }
                }
                return Int(total)
            }
            return try ItemFinder(connection: connection, selection: selection, after: 0, limit: nil).ids().count
        }
    }

    /// The numbers of the items that fit, ascending.
    func ids(_ selection: ItemSelection) throws(ReadFault) -> [Int64] {
        let finder = ItemFinder(connection: connection, selection: selection, after: 0, limit: nil)
        return try ReadFault.wrapping { () throws(SQLiteError) in try finder.ids() }
    }

    /// The item with that number.
    func item(_ id: Int64, withValue: Bool) throws(ReadFault) -> SealedItem? {
        let named = withValue ? ItemStatements.selectByID : ItemStatements.selectByIDWithoutValue
        return try items(named) { (row) throws(SQLiteError) in try row.bind(1, id) }.first
    }

    /// The item with that primary key.
    func item(scope: Int64, tuple: [UInt8], extra: [UInt8]) throws(ReadFault) -> SealedItem? {
        try items(ItemStatements.selectByFullKey) { (row) throws(SQLiteError) in
            try row.bind(1, scope)
            try row.bind(2, tuple)
            try row.bind(3, extra)
        }.first
    }

    /// At most `limit` items of all scopes with a greater number than `after`.
    func page(after: Int64, limit: Int) throws(ReadFault) -> [SealedItem] {
        try items(ItemStatements.selectPage) { (row) throws(SQLiteError) in
            try row.bind(1, after)
            try row.bind(2, Int64(limit))
        }
    }

    /// The search digests that the item's row names, or nil if there is no such item.
    func digests(of id: Int64) throws(ReadFault) -> (scope: Int64, list: DigestList)? {
        let found = try ReadFault.wrapping { () throws(SQLiteError) -> (Int64, [UInt8])? in
            let row = try connection.statement(ItemStatements.digestsOfItem)
            try row.bind(1, id)
            return try row.step() ? (row.integer(0), row.bytes(1)) : nil
        }
        guard let found else { return nil }
        guard let list = DigestList(stored: found.1) else { throw .malformedRow("digests of an item") }
        return (found.0, list)
    }

    /// Of an item's digests, those by which the search table finds it in its scope.
    func indexed(_ digests: [[UInt8]], scope: Int64, item: Int64) throws(ReadFault) -> [[UInt8]] {
        try ReadFault.wrapping { () throws(SQLiteError) in
            var found: [[UInt8]] = []
            for digest in digests {
                let row = try connection.statement(ItemStatements.seekDigest)
                try row.bind(1, scope)
                try row.bind(2, digest)
                try row.bind(3, item)
                if try row.step(), row.integer(0) == item { found.append(digest) }
            }
            return found
        }
    }

    /// Where the item lies in the indexes, and its search digests; nil if there is no such item.
    func place(of id: Int64) throws(ReadFault) -> (place: ItemPlace, list: DigestList)? {
        let found = try ReadFault.wrapping { () throws(SQLiteError) -> (ItemPlace, [UInt8])? in
            let row = try connection.statement(ItemStatements.placeOfItem)
            try row.bind(1, id)
            guard try row.step() else { return nil }
            let place = ItemPlace(
                scope: row.integer(0), tuple: row.bytes(2), extra: row.bytes(3), classKey: row.integer(4),
                generation: row.integer(5))
            return (place, row.bytes(1))
        }
        guard let found else { return nil }
        guard let list = DigestList(stored: found.1) else { throw .malformedRow("digests of an item") }
        return (found.0, list)
    }

    // MARK: - Rows

    /// Equal tuples come in the order of `extra`; there is rarely more than one, so they are put in order here.
    private func byKey(
        _ selection: ItemSelection, _ tuple: [UInt8], _ after: Int64, _ limit: Int?, _ withValues: Bool
    ) throws(ReadFault) -> [SealedItem] {
        let named = withValues ? ItemStatements.selectByKey : ItemStatements.selectByKeyWithoutValue
        var found = try items(named) { (row) throws(SQLiteError) in
            try row.bind(1, selection.scopes[0])
            try row.bind(2, tuple)
        }
        if after > 0 || selection.classKey != nil {
            found.removeAll { $0.id <= after || $0.classKey != selection.classKey ?? $0.classKey }
        }
        if found.count > 1 { found.sort { $0.id < $1.id } }
        guard let limit, found.count > limit else { return found }
        return Array(found[..<limit])
    }

    private func items(
        _ named: NamedStatement, _ bind: (borrowing Statement) throws(SQLiteError) -> Void
    ) throws(ReadFault) -> [SealedItem] {
        try ReadFault.wrapping { () throws(SQLiteError) in
            let row = try connection.statement(named)
            try bind(row)
            var items: [SealedItem] = []
            while try row.step() { items.append(SealedItem(row: row)) }
            return items
        }
    }
}
