/* SPDX-License-Identifier: Apache-2.0 */
#include "CKeyfobBench.h"

#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct keyfob_bare_store {
    sqlite3 *database;
    sqlite3_stmt *read;
    sqlite3_stmt *insert;
    long rows;
};

static const char schema[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
    "CREATE TABLE t (id INTEGER PRIMARY KEY, k BLOB NOT NULL UNIQUE, v BLOB NOT NULL) STRICT;";

/* Spread over the index as a digest is, and different for each row. */
static void make_key(long row, unsigned char key[16])
{
    uint64_t high = (uint64_t)row * 0x9E3779B97F4A7C15u;
    uint64_t low = (uint64_t)row;
    memcpy(key, &high, 8);
    memcpy(key + 8, &low, 8);
}

static int insert(keyfob_bare_store *store)
{
    unsigned char key[16], content[256];
    make_key(store->rows, key);
    memset(content, (int)(store->rows & 255), sizeof content);
    sqlite3_bind_blob(store->insert, 1, key, sizeof key, SQLITE_STATIC);
    sqlite3_bind_blob(store->insert, 2, content, sizeof content, SQLITE_STATIC);
    int result = sqlite3_step(store->insert);
    sqlite3_reset(store->insert);
    if (result != SQLITE_DONE) return result;
    store->rows++;
    return SQLITE_OK;
}

static int fill(keyfob_bare_store *store, long rows)
{
    int result = sqlite3_exec(store->database, "BEGIN", NULL, NULL, NULL);
    while (result == SQLITE_OK && store->rows < rows) result = insert(store);
    return result == SQLITE_OK ? sqlite3_exec(store->database, "COMMIT", NULL, NULL, NULL) : result;
}

keyfob_bare_store *keyfob_bare_store_open(const char *path, long rows, int *value)
{
    keyfob_bare_store *store = calloc(1, sizeof *store);
    if (store == NULL) {
        *value = SQLITE_NOMEM;
        return NULL;
    }
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    *value = sqlite3_open_v2(path, &store->database, flags, NULL);
    if (*value == SQLITE_OK) *value = sqlite3_exec(store->database, schema, NULL, NULL, NULL);
    if (*value == SQLITE_OK)
        *value = sqlite3_prepare_v2(store->database, "SELECT id, v FROM t WHERE k = ?1", -1, &store->read, NULL);
    if (*value == SQLITE_OK)
        *value = sqlite3_prepare_v2(
            store->database, "INSERT INTO t (k, v) VALUES (?1, ?2)", -1, &store->insert, NULL);
    if (*value == SQLITE_OK) *value = fill(store, rows);
    if (*value == SQLITE_OK) return store;
    keyfob_bare_store_close(store);
    return NULL;
}

void keyfob_bare_store_close(keyfob_bare_store *store)
{
    sqlite3_finalize(store->read);
    sqlite3_finalize(store->insert);
    sqlite3_close(store->database);
    free(store);
}

int keyfob_bare_store_read(keyfob_bare_store *store, long row)
{
    unsigned char key[16], content[256];
    make_key(row, key);
    sqlite3_bind_blob(store->read, 1, key, sizeof key, SQLITE_STATIC);
    int result = sqlite3_step(store->read);
    if (result == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(store->read, 1);
        int count = sqlite3_column_bytes(store->read, 1);
        memcpy(content, bytes, (size_t)count < sizeof content ? (size_t)count : sizeof content);
    }
    sqlite3_reset(store->read);
    return result == SQLITE_ROW ? SQLITE_OK : SQLITE_CORRUPT;
}

int keyfob_bare_store_insert(keyfob_bare_store *store)
{
    return insert(store);
}
