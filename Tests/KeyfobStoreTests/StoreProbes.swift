// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import KeyfobSQLite

@testable import KeyfobStore

extension ItemStore {
    /// Writers in the queue behind the leader.
    var waitingWriters: Int { writer.waiting }

    /// Transactions committed since the store was opened.
    var commitCount: Int { writer.commits }

    /// Makes the store as full as a disk of so many pages.
    func limitPages(to count: Int) throws(KeychainError) {
        try write { (transaction) throws(KeychainError) in
            try transaction.sql { () throws(SQLiteError) in
                precondition(count == 60, "the statement is a literal")
                try transaction.connection.run(NamedStatement("limitPages", "PRAGMA max_page_count = 60"))
            }
        }
    }

    /// Rows of table `search`.
    func searchRowCount() throws(KeychainError) -> Int64? {
        try write { (transaction) throws(KeychainError) in
            try transaction.sql { () throws(SQLiteError) in
                try transaction.connection.integer(ItemStatements.countSearchRows)
            }
        }
    }
}
