// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
internal import KeyfobSQLite

/// Writing the keychain's own row and the class keys.
extension StoreTransaction {
    /// Writes the keychain's row, whatever it was.
    package func setKeychain(_ keychain: KeychainRecord) throws(KeychainError) {
        try sql { () throws(SQLiteError) in
            let row = try connection.statement(KeyStatements.putKeychain)
            try row.bind(1, keychain.uuid)
            try row.bind(2, keychain.created)
            try row.bind(3, keychain.token.label)
            try row.bind(4, keychain.token.manufacturer)
            try row.bind(5, keychain.token.model)
            try row.bind(6, keychain.token.serial)
            try row.bind(7, keychain.indexKey)
            try row.finish()
        }
    }

    /// Adds a class key.
    ///
    /// - Throws: `.internalError` if that generation of the class exists.
    package func insertClassKey(_ key: ClassKeyRecord) throws(KeychainError) {
        try sql { () throws(SQLiteError) in
            let row = try connection.statement(KeyStatements.insertClassKey)
            try bind(key, row)
            try row.finish()
        }
    }

    /// Makes the class key of that class and generation what `key` says; false if there is none.
    package func updateClassKey(_ key: ClassKeyRecord) throws(KeychainError) -> Bool {
        try sql { () throws(SQLiteError) in
            let row = try connection.statement(KeyStatements.updateClassKey)
            try bind(key, row)
            try row.finish()
            return connection.changes == 1
        }
    }

    /// Deletes a class key; false if there is none.
    ///
    /// Its items stay: that is for the engine to decide.
    package func deleteClassKey(_ classKey: UInt8, generation: UInt32) throws(KeychainError) -> Bool {
        try sql { () throws(SQLiteError) in
            let row = try connection.statement(KeyStatements.deleteClassKey)
            try row.bind(1, Int64(classKey))
            try row.bind(2, Int64(generation))
            try row.finish()
            return connection.changes == 1
        }
    }

    /// Counts `count` more seals of a class key; the new total, or nil if there is no such key.
    @discardableResult
    package func addSeals(_ classKey: UInt8, generation: UInt32, count: Int64) throws(KeychainError) -> Int64? {
        try sql { () throws(SQLiteError) in
            let row = try connection.statement(KeyStatements.addSeals)
            try row.bind(1, Int64(classKey))
            try row.bind(2, Int64(generation))
            try row.bind(3, count)
            guard try row.step() else { return nil }
            let total = row.integer(0)
            try row.finish()
            return total
        }
    }

    /// Keeps a sealed checkpoint of the audit log in place of the one before.
    package func setAuditCheckpoint(_ sealed: [UInt8]) throws(KeychainError) {
        try sql { () throws(SQLiteError) in
            let row = try connection.statement(KeyStatements.putAuditCheckpoint)
            try row.bind(1, sealed)
            try row.finish()
        }
    }

    /// The class keys as this transaction sees them, by class and generation.
    package func classKeys() throws(KeychainError) -> [ClassKeyRecord] {
        do { return try KeyReader(connection: connection).classKeys() } catch {
            throw KeychainError(error, operation, path: path)
        }
    }

    private func bind(_ key: ClassKeyRecord, _ row: borrowing Statement) throws(SQLiteError) {
        try row.bind(1, Int64(key.classKey))
        try row.bind(2, Int64(key.generation))
        try row.bind(3, Int64(key.suite))
        try row.bind(4, Int64(key.residence))
        try row.bind(5, Int64(key.state))
        try row.bind(6, key.wrapped)
        try row.bind(7, key.metadataKey)
        try row.bind(8, key.seals)
    }
}
