// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobSQLite

extension SealedItem {
    /// The current row of a statement with the columns that `ItemStatements` names.
    ///
    /// Nil if the row does not hold what the schema promises, which only damage can cause.
    init?(row: borrowing Statement) {
        guard let uuid = ItemUUID(row.bytes(1)), let classKey = UInt8(exactly: row.integer(5)),
            let generation = UInt32(exactly: row.integer(6))
        else { return nil }
        self.init(
            id: row.integer(0), uuid: uuid, scope: row.integer(2), tuple: row.bytes(3), extra: row.bytes(4),
            classKey: classKey, generation: generation, accessControl: row.bytes(7), revision: row.integer(8),
            metadata: row.bytes(9), value: row.optionalBytes(10))
    }
}
