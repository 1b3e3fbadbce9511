// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobSQLite

/// Reads the tables `keychain`, `class_keys`, `scopes` and `audit` on one connection.
struct KeyReader {
    let connection: Connection

    /// The keychain's row, or nil if the store has none.
    func keychain() throws(ReadFault) -> KeychainRecord? {
        try ReadFault.wrapping { () throws(SQLiteError) in
            let row = try connection.statement(KeyStatements.selectKeychain)
            guard try row.step() else { return nil }
            return KeychainRecord(
                uuid: row.bytes(0), created: row.integer(1),
                token: TokenIdentity(
                    label: row.text(2), manufacturer: row.text(3), model: row.text(4), serial: row.text(5)),
                indexKey: row.bytes(6))
        }
    }

    /// The class keys, by class and generation.
    func classKeys() throws(ReadFault) -> [ClassKeyRecord] {
        let rows = try ReadFault.wrapping { () throws(SQLiteError) in
            let row = try connection.statement(KeyStatements.selectClassKeys)
            var rows: [ClassKeyRecord?] = []
            while try row.step() { rows.append(ClassKeyRecord(row: row)) }
            return rows
        }
        let found = rows.compactMap { $0 }
        guard found.count == rows.count else { throw .malformedRow("class_keys") }
        return found
    }

    /// The scopes, by number.
    func scopes() throws(ReadFault) -> [ScopeRecord] {
        try ReadFault.wrapping { () throws(SQLiteError) in
            let row = try connection.statement(KeyStatements.selectScopes)
            var found: [ScopeRecord] = []
            while try row.step() {
                found.append(ScopeRecord(id: row.integer(0), digest: row.bytes(1), sealed: row.bytes(2)))
            }
            return found
        }
    }

    /// The newest checkpoint of the audit log, sealed; nil: there is none.
    func auditCheckpoint() throws(ReadFault) -> [UInt8]? {
        try ReadFault.wrapping { () throws(SQLiteError) in
            let row = try connection.statement(KeyStatements.selectAuditCheckpoint)
            guard try row.step() else { return nil }
            return row.bytes(0)
        }
    }

    /// How many items each class key seals, by class and generation.
    func classKeyUse() throws(ReadFault) -> [ClassKeyUse] {
        try ReadFault.wrapping { () throws(SQLiteError) in
            let row = try connection.statement(ItemStatements.countByClassKey)
            var rows: [ClassKeyUse] = []
            while try row.step() {
                // Damaged numbers read as 0, as in `SealedItem.init(row:)`.
                rows.append(
                    ClassKeyUse(
                        classKey: UInt8(exactly: row.integer(0)) ?? 0,
                        generation: UInt32(exactly: row.integer(1)) ?? 0, items: Int(row.integer(2))))
            }
            return rows
        }
    }
}

extension ClassKeyRecord {
    fileprivate init?(row: borrowing Statement) {
        guard let classKey = UInt8(exactly: row.integer(0)), let generation = UInt32(exactly: row.integer(1)),
            let suite = UInt8(exactly: row.integer(2)), let residence = UInt8(exactly: row.integer(3)),
            let state = UInt8(exactly: row.integer(4))
        else { return nil }
        self.init(
            classKey: classKey, generation: generation, suite: suite, residence: residence, state: state,
            wrapped: row.optionalBytes(5), metadataKey: row.bytes(6), seals: row.integer(7))
    }
}
