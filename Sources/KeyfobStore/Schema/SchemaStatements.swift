// SPDX-License-Identifier: Apache-2.0
internal import KeyfobSQLite

/// The schema, step by step, and what a connection sets when it opens.
///
/// docs/store-format.md explains each column.
enum SchemaStatements {
    /// The first schema.
    static let version1 = NamedStatement(
        "schemaVersion1",
        """
        CREATE TABLE keychain (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            uuid BLOB NOT NULL CHECK (length(uuid) = 16),
            created INTEGER NOT NULL,
            token_label TEXT NOT NULL,
            token_manufacturer TEXT NOT NULL,
            token_model TEXT NOT NULL,
            token_serial TEXT NOT NULL,
            index_key BLOB NOT NULL
        ) STRICT;
        CREATE TABLE class_keys (
            class INTEGER NOT NULL CHECK (class BETWEEN 0 AND 255),
            generation INTEGER NOT NULL CHECK (generation BETWEEN 0 AND 4294967295),
            suite INTEGER NOT NULL CHECK (suite BETWEEN 0 AND 255),
            residence INTEGER NOT NULL CHECK (residence BETWEEN 0 AND 255),
            state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 255),
            wrapped BLOB,
            metadata_key BLOB NOT NULL,
            seals INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (class, generation)
        ) STRICT;
        CREATE TABLE scopes (
            id INTEGER PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE,
            sealed BLOB NOT NULL
        ) STRICT;
        CREATE TABLE items (
            id INTEGER PRIMARY KEY,
            uuid BLOB NOT NULL UNIQUE CHECK (length(uuid) = 16),
            scope INTEGER NOT NULL REFERENCES scopes (id),
            tuple BLOB NOT NULL CHECK (length(tuple) = 16),
            extra BLOB NOT NULL CHECK (length(extra) IN (0, 16)),
            class_key INTEGER NOT NULL CHECK (class_key BETWEEN 0 AND 255),
            generation INTEGER NOT NULL CHECK (generation BETWEEN 0 AND 4294967295),
            access_control BLOB NOT NULL,
            revision INTEGER NOT NULL,
            digests BLOB NOT NULL CHECK (length(digests) % 16 = 0),
            metadata BLOB NOT NULL,
            value BLOB,
            UNIQUE (scope, tuple, extra)
        ) STRICT;
        CREATE INDEX items_by_scope ON items (scope, id, class_key, generation);
        CREATE TABLE search (
            scope INTEGER NOT NULL,
            digest BLOB NOT NULL CHECK (length(digest) = 16),
            item INTEGER NOT NULL,
            PRIMARY KEY (scope, digest, item)
        ) STRICT, WITHOUT ROWID;
        PRAGMA application_id = 1262899010;
        PRAGMA user_version = 1;
        """)

    /// Adds the newest checkpoint of the audit log.
    static let version2 = NamedStatement(
        "schemaVersion2",
        """
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            checkpoint BLOB NOT NULL
        ) STRICT;
        PRAGMA user_version = 2;
        """)

    /// Makes the log of a new file a write-ahead log; the file remembers it.
    static let writeAheadLog = NamedStatement("writeAheadLog", "PRAGMA journal_mode = WAL")

    /// What every connection sets.
    ///
    /// Nothing of a store may reach a temporary file.
    static let connection = NamedStatement(
        "connectionSettings",
        "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY;")

    /// What the writer sets: each commit is on the disk when it returns, what is deleted is overwritten.
    ///
    /// The log may keep more than it has between two checkpoints: a sync after writing into a file as it is costs half of
    /// one that makes the file longer.
    static let writer = NamedStatement(
        "writerSettings",
        """
        PRAGMA synchronous = FULL;
        PRAGMA secure_delete = ON;
        PRAGMA foreign_keys = ON;
        PRAGMA cache_size = -4096;
        PRAGMA journal_size_limit = 25165824;
        """)

    /// What a reader sets.
    static let reader = NamedStatement("readerSettings", "PRAGMA query_only = ON; PRAGMA cache_size = -1024;")

    static let applicationID = NamedStatement("applicationID", "PRAGMA application_id")
    static let userVersion = NamedStatement("userVersion", "PRAGMA user_version")
    static let integrityCheck = NamedStatement("integrityCheck", "PRAGMA integrity_check(100)")
}
