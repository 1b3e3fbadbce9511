// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobSQLite

extension SealedItem {
    /// The current row of a statement with the columns that `ItemStatements` names.
    ///
    /// A column that does not hold what the schema promises, which only damage can cause, reads as 0: no class key has
    /// that number and no seal fits that UUID, so the one row does not open and its neighbours are served.
    init(row: borrowing Statement) {
        let classKey = UInt8(exactly: row.integer(5)) ?? 0
        let generation = UInt32(exactly: row.integer(6)) ?? 0
        self.init(
            id: row.integer(0), uuid: ItemUUID(row.bytes(1)) ?? .zero, scope: row.integer(2), tuple: row.bytes(3),
            extra: row.bytes(4),
            classKey: classKey, generation: generation, accessControl: row.bytes(7), revision: row.integer(8),
            metadata: row.bytes(9), value: row.optionalBytes(10))
    }
}
