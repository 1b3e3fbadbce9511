// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobSQLite
internal import KeyfobTestSupport
internal import Security
internal import Testing

/// Rows whose sealed bytes were changed on the disk; each has a keychain of its own.
@Suite(.lendsTokens) struct DamagedItemTests {
    @Test(arguments: Mode.allCases, Column.allCases.flatMap(rows))
    func `Every row about damaged items holds`(mode: Mode, row: Row) throws {
        try row.run(mode, on: mode.makeKeychain())
    }

    /// A column with sealed bytes.
    private enum Column: String, CaseIterable, Sendable {
        case metadata, value

        /// Changes the last byte in the row that was stored first.
        var damage: NamedStatement {
            switch self {
            case .metadata:
                NamedStatement(
                    "damageMetadata",
                    """
                    UPDATE items SET metadata = CAST(substr(metadata, 1, length(metadata) - 1)
                      || CASE substr(metadata, -1) WHEN x'00' THEN x'01' ELSE x'00' END AS BLOB)
                    WHERE id = (SELECT min(id) FROM items)
                    """)
            case .value:
                NamedStatement(
                    "damageValue",
                    """
                    UPDATE items SET value = CAST(substr(value, 1, length(value) - 1)
                      || CASE substr(value, -1) WHEN x'00' THEN x'01' ELSE x'00' END AS BLOB)
                    WHERE id = (SELECT min(id) FROM items)
                    """)
            }
        }
    }

    private static func damage(_ column: Column) throws {
        guard let keychain = Sandbox.current?.keychain else { throw NoSandbox() }
        let store = try Connection(path: keychain.storePath, mode: .readWrite)
        store.setBusyTimeout(milliseconds: 10_000)
        try store.run(column.damage)
        #expect(store.changes == 1)
    }

    private static func rows(_ column: Column) -> [Row] {
        [
            Row("6.9 a row with damaged \(column) is treated as absent", gives: errSecItemNotFound) {
                add(password())
                try damage(column)
                return copying(genp([kSecReturnData: true, kSecReturnAttributes: true])).status
            },
            Row("6.9 the neighbours of a row with damaged \(column) are served") {
                for name in ["a", "b", "c"] { add(password(name)) }
                try damage(column)
                let both: Query = [kSecReturnData: true, kSecReturnAttributes: true]
                let all = copying(genp(both.merging([kSecMatchLimit: kSecMatchLimitAll]) { _, new in new }))
                #expect(all.dictionaries?.map { $0["v_Data"] as? Data } == [bytes("b"), bytes("c")])
                #expect(copying(genp(both)).dictionary?["acct"] as? String == "b")
            },
            Row("5 a row with damaged \(column) gives way to a new item of its key") {
                add(password())
                try damage(column)
                #expect(add(password("bob", [kSecValueData: bytes("new")])) == errSecSuccess)
                #expect(value(genp()) == "new")
                #expect(accounts(genp()).count == 1)
            },
            Row("8 a row with damaged \(column) is deleted", gives: errSecSuccess) {
                add(password())
                try damage(column)
                return delete(genp())
            },
        ]
    }
}
