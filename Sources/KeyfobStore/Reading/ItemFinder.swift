// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobSQLite

/// Finds the numbers of the items that fit a selection, in ascending order, on one connection.
///
/// ```
///   no filter      one scan of (scope, id)          filters on a scope      each digest is a sorted list of ids;
///   tuple          one step of the primary key                              the lists are met by seeking: what
///   uuid           one step of the uuid index                               is found costs at most one seek a
///                                                                           list and item of the shortest list
/// ```
struct ItemFinder {
    let connection: Connection
    let selection: ItemSelection
    /// Only items with a greater number.
    let after: Int64
    /// At most so many; nil is all.
    let limit: Int?

    /// The numbers, over all scopes together.
    func ids() throws(SQLiteError) -> [Int64] {
        if let limit, limit <= 0 { return [] }
        switch selection.kind {
        case .uuid(let uuid): return try byUUID(uuid)
        case .key(let tuple):
            var found: [Int64] = []
            for scope in selection.scopes { found += try byKey(scope, tuple) }
            return ordered(found)
        case .all:
            var found: [Int64] = []
            for scope in selection.scopes { found += try inScope(scope) }
            return selection.scopes.count == 1 ? found : ordered(found)
        }
    }

    // MARK: - By kind

    private func byUUID(_ uuid: ItemUUID) throws(SQLiteError) -> [Int64] {
        let row = try connection.statement(ItemStatements.findUUID)
        try row.bind(1, uuid.bytes)
        guard try row.step() else { return [] }
        let id = row.integer(0)
        let scope = row.integer(1)
        guard id > after, selection.scopes.contains(scope), fits(classKey: row.integer(2)),
            try hasFilters(id, in: scope)
        else { return [] }
        return [id]
    }

    private func byKey(_ scope: Int64, _ tuple: [UInt8]) throws(SQLiteError) -> [Int64] {
        let row = try connection.statement(ItemStatements.scanKey)
        try row.bind(1, scope)
        try row.bind(2, tuple)
        var found: [Int64] = []
        while try row.step() {
            let id = row.integer(0)
            guard id > after, fits(classKey: row.integer(1)), try hasFilters(id, in: scope) else { continue }
            found.append(id)
        }
        return found
    }

    private func inScope(_ scope: Int64) throws(SQLiteError) -> [Int64] {
        switch selection.filters.count {
        case 0: return try scan(scope)
        case 1: return try scan(scope, digest: selection.filters[0])
        default: return try intersect(scope)
        }
    }

    private func scan(_ scope: Int64) throws(SQLiteError) -> [Int64] {
        let row = try connection.statement(ItemStatements.scanScope)
        try row.bind(1, scope)
        try row.bind(2, after)
        var found: [Int64] = []
        while !isFull(found), try row.step() {
            if fits(classKey: row.integer(1)) { found.append(row.integer(0)) }
        }
        return found
    }

    private func scan(_ scope: Int64, digest: [UInt8]) throws(SQLiteError) -> [Int64] {
        let row = try connection.statement(ItemStatements.scanDigest)
        try row.bind(1, scope)
        try row.bind(2, digest)
        try row.bind(3, after)
        var found: [Int64] = []
        while !isFull(found), try row.step() {
            let id = row.integer(0)
            if try hasClassKey(id) { found.append(id) }
        }
        return found
    }

    /// Each list in turn is asked for its first item at or after the candidate; the candidate moves up to the answer
    /// until all lists agree.
    private func intersect(_ scope: Int64) throws(SQLiteError) -> [Int64] {
        guard after < .max else { return [] }
        let lists = selection.filters
        var found: [Int64] = []
        var candidate = after + 1
        var agreeing = 0
        var list = 0
        while !isFull(found), let next = try seek(scope, lists[list], from: candidate) {
            agreeing = next == candidate ? agreeing + 1 : 1
            candidate = next
            list = (list + 1) % lists.count
            guard agreeing == lists.count else { continue }
            if try hasClassKey(candidate) { found.append(candidate) }
            guard candidate < .max else { break }
            candidate += 1
            agreeing = 0
        }
        return found
    }

    // MARK: - Tests of one item

    private func seek(_ scope: Int64, _ digest: [UInt8], from id: Int64) throws(SQLiteError) -> Int64? {
        let row = try connection.statement(ItemStatements.seekDigest)
        try row.bind(1, scope)
        try row.bind(2, digest)
        try row.bind(3, id)
        return try row.step() ? row.integer(0) : nil
    }

    private func hasFilters(_ id: Int64, in scope: Int64) throws(SQLiteError) -> Bool {
        for digest in selection.filters where try seek(scope, digest, from: id) != id { return false }
        return true
    }

    private func fits(classKey: Int64) -> Bool {
        guard let wanted = selection.classKey else { return true }
        return Int64(wanted) == classKey
    }

    private func hasClassKey(_ id: Int64) throws(SQLiteError) -> Bool {
        guard selection.classKey != nil else { return true }
        let row = try connection.statement(ItemStatements.classKeyOfItem)
        try row.bind(1, id)
        return try row.step() && fits(classKey: row.integer(0))
    }

    // MARK: - Order and limit

    private func isFull(_ found: [Int64]) -> Bool {
        guard let limit else { return false }
        return found.count >= limit
    }

    private func ordered(_ found: [Int64]) -> [Int64] {
        let sorted = found.count > 1 ? found.sorted() : found
        guard let limit, sorted.count > limit else { return sorted }
        return Array(sorted[..<limit])
    }
}
