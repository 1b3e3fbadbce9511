// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
internal import KeyfobSQLite

/// The items of one keychain in one SQLite file: sees sealed bytes and keyed digests only.
///
/// Any thread may call. Reading never waits for writing; every function blocks on the disk. One process at a time opens
/// a store (the engine's owner lock says who). Errors are those of `KeychainError+SQLite.swift`: `.diskFull`,
/// `.inputOutput`, `.readOnly`, `.permissions`, `.storeDamaged`, `.outOfMemory`, `.keychainInUse`, each with the path.
package final class ItemStore: Sendable {
    /// The file.
    package let path: String
    private let counter: StatementCounter
    private let readers: ReaderPool
    let writer: GroupCommit

    private init(path: String, counter: StatementCounter, writer: GroupCommit) {
        self.path = path
        self.counter = counter
        self.writer = writer
        readers = ReaderPool(path: path, counter: counter)
    }

    /// Makes a store in a folder that exists.
    ///
    /// After a crash there is either the whole store or none.
    ///
    /// - Throws: `.keychainExists`; `.keychainNotFound` if the folder is missing.
    package static func create(
        _ path: String, _ keychain: KeychainRecord, _ classKeys: [ClassKeyRecord]
    ) throws(KeychainError) -> ItemStore {
        try StoreFile.create(at: path) { (transaction) throws(KeychainError) in
            try transaction.setKeychain(keychain)
            for key in classKeys { try transaction.insertClassKey(key) }
        }
        return try open(path)
    }

    /// Opens a store, and brings one of an older version up to date.
    ///
    /// - Throws: `.keychainNotFound`, `.storeTooNew`, `.permissions` if group or others may read it.
    package static func open(_ path: String) throws(KeychainError) -> ItemStore {
        let counter = StatementCounter()
        let connection = try StoreFile.openWriter(path, counter: counter)
        let lastID: Int64
        do { lastID = try connection.integer(ItemStatements.lastID) ?? 0 } catch {
            throw KeychainError(error, .open, path: path)
        }
        let writer = GroupCommit(connection, path: path, lastID: lastID)
        return ItemStore(path: path, counter: counter, writer: writer)
    }

    /// Waits for the writes under way and closes; what is called later throws `.notAvailable`.
    package func close() {
        readers.close()
        writer.close()
    }

    /// Statements begun since the store was opened, for gates.
    package var statementCount: Int { counter.count }

    // MARK: - Reading

    /// The items that fit, by ascending number, which is the order of insertion.
    ///
    /// - Parameters:
    ///   - after: only items with a greater number; 0 is all. With `limit` it reads page by page.
    ///   - limit: at most so many; nil is all.
    ///   - withValues: false leaves `value` nil without reading it.
    package func select(
        _ selection: ItemSelection, after: Int64 = 0, limit: Int? = nil, withValues: Bool
    ) throws(KeychainError) -> [SealedItem] {
        let oneStatement = selection.isOneStatement
        return try read(.copyMatching, snapshot: !oneStatement) { (connection) throws(ReadFault) in
            try ItemReader(connection: connection).select(
                selection, after: after, limit: limit, withValues: withValues)
        }
    }

    /// How many items fit.
    package func count(_ selection: ItemSelection) throws(KeychainError) -> Int {
        try read(.copyMatching, snapshot: true) { (connection) throws(ReadFault) in
            try ItemReader(connection: connection).count(selection)
        }
    }

    /// At most `limit` items of all scopes, values included, with a greater number than `after`.
    package func allItems(after: Int64 = 0, limit: Int) throws(KeychainError) -> [SealedItem] {
        try read(.verify) { (connection) throws(ReadFault) in
            try ItemReader(connection: connection).page(after: after, limit: limit)
        }
    }

    /// The search digests that an item's row names, sorted; nil if there is no such item.
    package func searchDigests(of id: Int64) throws(KeychainError) -> [[UInt8]]? {
        try read(.verify) { (connection) throws(ReadFault) in
            try ItemReader(connection: connection).digests(of: id)?.list.digests
        }
    }

    /// Rows of the search table.
    package func searchRowCount() throws(KeychainError) -> Int {
        try read(.verify) { (connection) throws(ReadFault) in
            try ReadFault.wrapping { () throws(SQLiteError) in
                Int(try connection.integer(ItemStatements.countSearchRows) ?? 0)
            }
        }
    }

    /// Of an item's digests, those by which the search table really finds it; how many rows the table has for all items
    /// is `searchRowCount`.
    package func indexedDigests(_ digests: [[UInt8]], scope: Int64, item: Int64) throws(KeychainError) -> [[UInt8]] {
        try read(.verify) { (connection) throws(ReadFault) in
            try ItemReader(connection: connection).indexed(digests, scope: scope, item: item)
        }
    }

    /// How many items each generation of each class key seals; class keys without items are left out.
    package func classKeyUse() throws(KeychainError) -> [ClassKeyUse] {
        try read(.status) { (connection) throws(ReadFault) in try KeyReader(connection: connection).classKeyUse() }
    }

    /// The keychain's own row.
    package func keychain() throws(KeychainError) -> KeychainRecord {
        let found = try read(.open) { (connection) throws(ReadFault) in try KeyReader(connection: connection).keychain()
        }
        guard let found else { throw .damagedStore("no keychain row", .open, path: path) }
        return found
    }

    /// The class keys, by class and generation.
    package func classKeys() throws(KeychainError) -> [ClassKeyRecord] {
        try read(.open) { (connection) throws(ReadFault) in try KeyReader(connection: connection).classKeys() }
    }

    /// The scopes, by number.
    package func scopes() throws(KeychainError) -> [ScopeRecord] {
        try read(.open) { (connection) throws(ReadFault) in try KeyReader(connection: connection).scopes() }
    }

    /// The newest checkpoint of the audit log, sealed; nil: there is none.
    package func auditCheckpoint() throws(KeychainError) -> [UInt8]? {
        try read(.audit) { (connection) throws(ReadFault) in try KeyReader(connection: connection).auditCheckpoint() }
    }

    /// What SQLite finds wrong with the file: lines of `PRAGMA integrity_check`, none if it is sound.
    package func integrityFaults() throws(KeychainError) -> [String] {
        try read(.verify) { (connection) throws(ReadFault) in
            var faults: [String] = []
            do throws(SQLiteError) {
                let row = try connection.statement(SchemaStatements.integrityCheck)
                while try row.step() { faults.append(row.text(0)) }
            } catch {
                // Damage may end the check itself: that is a finding.
                guard ResultCode.corrupt ~= error.code else { throw .sqlite(error) }
                faults.append(error.code.name)
            }
            return faults == ["ok"] ? [] : faults
        }
    }

    // MARK: - Writing

    /// Runs `body` in a transaction; what it did is on the disk when this returns.
    ///
    /// Callers at the same time are committed together, yet a body that throws takes back its own work only. `body` may
    /// run on another caller's thread, and more than once if the disk fails while it is in a group with others: it must do
    /// nothing but use the transaction, and must not call the store.
    ///
    /// - Parameters:
    ///   - operation: what errors name.
    ///   - alone: keeps a large piece of work (thousands of items) out of groups, so that nobody waits for it by chance.
    package func write<R>(
        _ operation: KeychainError.Operation = .update, alone: Bool = false,
        _ body: (borrowing StoreTransaction) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        var result: R?
        let work = { (transaction: borrowing StoreTransaction) throws(KeychainError) in result = try body(transaction) }
        try withoutActuallyEscaping(work) { (work) throws(KeychainError) in
            try writer.perform(WriteJob(operation, isAlone: alone, work))
        }
        guard let result else { preconditionFailure("a committed write has a result") }
        return result
    }

    private func read<R>(
        _ operation: KeychainError.Operation, snapshot: Bool = false,
        _ body: (Connection) throws(ReadFault) -> R
    ) throws(KeychainError) -> R {
        try readers.read(operation, snapshot: snapshot, body)
    }
}

extension ItemSelection {
    /// Whether one statement answers it, so that it needs no transaction to be one view.
    fileprivate var isOneStatement: Bool {
        guard case .key = kind else { return false }
        return scopes.count == 1 && filters.isEmpty
    }
}
