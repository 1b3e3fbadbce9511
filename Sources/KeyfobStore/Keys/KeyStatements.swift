// SPDX-License-Identifier: Apache-2.0
internal import KeyfobSQLite

/// The SQL of tables `keychain`, `class_keys`, `scopes` and `audit`.
enum KeyStatements {
    static let selectKeychain = NamedStatement(
        "selectKeychain",
        """
        SELECT uuid, created, token_label, token_manufacturer, token_model, token_serial, index_key
        FROM keychain WHERE id = 1
        """)
    static let putKeychain = NamedStatement(
        "putKeychain",
        """
        INSERT OR REPLACE INTO keychain
        (id, uuid, created, token_label, token_manufacturer, token_model, token_serial, index_key)
        VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """)
    static let selectClassKeys = NamedStatement(
        "selectClassKeys",
        """
        SELECT class, generation, suite, residence, state, wrapped, metadata_key, seals
        FROM class_keys ORDER BY class, generation
        """)
    static let insertClassKey = NamedStatement(
        "insertClassKey",
        """
        INSERT INTO class_keys (class, generation, suite, residence, state, wrapped, metadata_key, seals)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """)
    static let updateClassKey = NamedStatement(
        "updateClassKey",
        """
        UPDATE class_keys SET suite = ?3, residence = ?4, state = ?5, wrapped = ?6, metadata_key = ?7, seals = ?8
        WHERE class = ?1 AND generation = ?2
        """)
    static let deleteClassKey = NamedStatement(
        "deleteClassKey", "DELETE FROM class_keys WHERE class = ?1 AND generation = ?2")
    static let addSeals = NamedStatement(
        "addSeals",
        "UPDATE class_keys SET seals = seals + ?3 WHERE class = ?1 AND generation = ?2 RETURNING seals")
    static let selectScopes = NamedStatement("selectScopes", "SELECT id, digest, sealed FROM scopes ORDER BY id")
    static let selectScope = NamedStatement("selectScope", "SELECT id FROM scopes WHERE digest = ?1")
    static let insertScope = NamedStatement(
        "insertScope", "INSERT INTO scopes (digest, sealed) VALUES (?1, ?2) RETURNING id")
    static let selectAuditCheckpoint = NamedStatement(
        "selectAuditCheckpoint", "SELECT checkpoint FROM audit WHERE id = 1")
    static let putAuditCheckpoint = NamedStatement(
        "putAuditCheckpoint", "INSERT OR REPLACE INTO audit (id, checkpoint) VALUES (1, ?1)")
}
