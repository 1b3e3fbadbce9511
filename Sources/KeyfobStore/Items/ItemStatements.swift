// SPDX-License-Identifier: Apache-2.0
internal import KeyfobSQLite

/// The SQL of tables `items` and `search`.
///
/// Statements that yield whole items have the columns of `SealedItem.init(row:)`, the value last so that a statement
/// without it never reads the pages of a long one.
enum ItemStatements {
    // MARK: - Reading whole items

    /// The hot one: one step of one index, then the row.
    static let selectByKey = NamedStatement(
        "selectByKey",
        """
        SELECT id, uuid, scope, tuple, extra, class_key, generation, access_control, revision, metadata, value
        FROM items WHERE scope = ?1 AND tuple = ?2
        """)
    static let selectByKeyWithoutValue = NamedStatement(
        "selectByKeyWithoutValue",
        """
        SELECT id, uuid, scope, tuple, extra, class_key, generation, access_control, revision, metadata, NULL
        FROM items WHERE scope = ?1 AND tuple = ?2
        """)
    static let selectByID = NamedStatement(
        "selectByID",
        """
        SELECT id, uuid, scope, tuple, extra, class_key, generation, access_control, revision, metadata, value
        FROM items WHERE id = ?1
        """)
    static let selectByIDWithoutValue = NamedStatement(
        "selectByIDWithoutValue",
        """
        SELECT id, uuid, scope, tuple, extra, class_key, generation, access_control, revision, metadata, NULL
        FROM items WHERE id = ?1
        """)
    static let selectByFullKey = NamedStatement(
        "selectByFullKey",
        """
        SELECT id, uuid, scope, tuple, extra, class_key, generation, access_control, revision, metadata, value
        FROM items WHERE scope = ?1 AND tuple = ?2 AND extra = ?3
        """)
    static let selectPage = NamedStatement(
        "selectPage",
        """
        SELECT id, uuid, scope, tuple, extra, class_key, generation, access_control, revision, metadata, value
        FROM items WHERE id > ?1 ORDER BY id LIMIT ?2
        """)

    // MARK: - Finding

    /// Covered by `items_by_scope`.
    static let scanScope = NamedStatement(
        "scanScope", "SELECT id, class_key FROM items WHERE scope = ?1 AND id > ?2 ORDER BY id")
    static let scanKey = NamedStatement(
        "scanKey", "SELECT id, class_key FROM items WHERE scope = ?1 AND tuple = ?2")
    static let findUUID = NamedStatement("findUUID", "SELECT id, scope, class_key FROM items WHERE uuid = ?1")
    static let classKeyOfItem = NamedStatement("classKeyOfItem", "SELECT class_key FROM items WHERE id = ?1")
    static let scanDigest = NamedStatement(
        "scanDigest", "SELECT item FROM search WHERE scope = ?1 AND digest = ?2 AND item > ?3 ORDER BY item")
    /// The first item at or after ?3 that has the digest.
    static let seekDigest = NamedStatement(
        "seekDigest",
        "SELECT item FROM search WHERE scope = ?1 AND digest = ?2 AND item >= ?3 ORDER BY item LIMIT 1")
    static let digestsOfItem = NamedStatement("digestsOfItem", "SELECT scope, digests FROM items WHERE id = ?1")
    static let placeOfItem = NamedStatement(
        "placeOfItem", "SELECT scope, digests, tuple, extra, class_key, generation FROM items WHERE id = ?1")
    /// Covered by `items_by_scope`.
    static let countByClassKey = NamedStatement(
        "countByClassKey",
        """
        SELECT class_key, generation, count(*) FROM items INDEXED BY items_by_scope
        GROUP BY class_key, generation ORDER BY class_key, generation
        """)
    /// Covered by `items_by_scope`.
    static let scanClassKey = NamedStatement(
        "scanClassKey", "SELECT id FROM items INDEXED BY items_by_scope WHERE class_key = ?1")
    static let countScope = NamedStatement("countScope", "SELECT count(*) FROM items WHERE scope = ?1")
    static let countSearchRows = NamedStatement("countSearchRows", "SELECT count(*) FROM search")
    static let lastID = NamedStatement("lastID", "SELECT coalesce(max(id), 0) FROM items")

    // MARK: - Writing

    static let insertItem = NamedStatement(
        "insertItem",
        """
        INSERT INTO items
        (id, uuid, scope, tuple, extra, class_key, generation, access_control, revision, digests, metadata, value)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
        """)
    static let updateItem = NamedStatement(
        "updateItem",
        """
        UPDATE items SET scope = ?3, tuple = ?4, extra = ?5, class_key = ?6, generation = ?7, access_control = ?8,
        revision = ?9, digests = ?10, metadata = ?11, value = ?12
        WHERE id = ?1 AND revision = ?2
        """)
    /// The two for an item whose place does not change name no indexed column: SQLite rewrites the entries of every
    /// index that an UPDATE names, whether or not a value is another.
    static let updateItemInPlace = NamedStatement(
        "updateItemInPlace",
        """
        UPDATE items SET access_control = ?3, revision = ?4, digests = ?5, metadata = ?6, value = ?7
        WHERE id = ?1 AND revision = ?2
        """)
    static let updateItemInPlaceKeepingValue = NamedStatement(
        "updateItemInPlaceKeepingValue",
        """
        UPDATE items SET access_control = ?3, revision = ?4, digests = ?5, metadata = ?6
        WHERE id = ?1 AND revision = ?2
        """)
    static let updateItemKeepingValue = NamedStatement(
        "updateItemKeepingValue",
        """
        UPDATE items SET scope = ?3, tuple = ?4, extra = ?5, class_key = ?6, generation = ?7, access_control = ?8,
        revision = ?9, digests = ?10, metadata = ?11
        WHERE id = ?1 AND revision = ?2
        """)
    static let deleteItem = NamedStatement("deleteItem", "DELETE FROM items WHERE id = ?1")
    static let insertDigest = NamedStatement(
        "insertDigest", "INSERT OR IGNORE INTO search (scope, digest, item) VALUES (?1, ?2, ?3)")
    static let deleteDigest = NamedStatement(
        "deleteDigest", "DELETE FROM search WHERE scope = ?1 AND digest = ?2 AND item = ?3")
}
