// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
internal import KeyfobSQLite

extension StoreTransaction {
    /// The numbers of the items of an accessibility class, whatever the generation of its key; reads no item.
    package func ids(sealedUnder classKey: UInt8) throws(KeychainError) -> [Int64] {
        try sql { () throws(SQLiteError) in
            let row = try connection.statement(ItemStatements.scanClassKey)
            try row.bind(1, Int64(classKey))
            var ids: [Int64] = []
            while try row.step() { ids.append(row.integer(0)) }
            return ids
        }
    }
}
