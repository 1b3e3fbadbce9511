/* SPDX-License-Identifier: Apache-2.0 */
/* The bare calls that keyfob-bench compares with: no Swift, no layer of ours in between. */
#ifndef CKEYFOB_BENCH_H
#define CKEYFOB_BENCH_H

#include <stddef.h>

/* How the functions of a PKCS #11 module are reached. */
enum keyfob_bare_path {
    KEYFOB_BARE_MODULE = 0, /* the module's own function list */
    KEYFOB_BARE_P11_KIT = 1 /* the list that p11-kit hands out */
};

typedef struct keyfob_bare_token keyfob_bare_token;

/* A session on the token of that label, with an AES-256 session key, private or public, and a message of 48 bytes
   sealed under it. The module must be initialised and, for a private key, logged in.
   NULL on failure; then `*function` names the call and `*value` holds what it returned. */
keyfob_bare_token *keyfob_bare_token_open(
    const char *module_path, const char *label, enum keyfob_bare_path path, int is_private, const char **function,
    unsigned long *value);
void keyfob_bare_token_close(keyfob_bare_token *token);

/* C_DecryptInit and C_Decrypt, or C_EncryptInit and C_Encrypt; what the failing call returned, or 0. */
unsigned long keyfob_bare_token_decrypt(keyfob_bare_token *token);
unsigned long keyfob_bare_token_encrypt(keyfob_bare_token *token);

typedef struct keyfob_bare_store keyfob_bare_store;

/* A WAL database with synchronous=FULL, one table with a unique key of 16 bytes and a value of 256 bytes, `rows` rows.
   NULL on failure; then `*value` holds SQLite's code. */
keyfob_bare_store *keyfob_bare_store_open(const char *path, long rows, int *value);
void keyfob_bare_store_close(keyfob_bare_store *store);

/* One row by its key, its value copied out; SQLite's code, 0 if all is well. */
int keyfob_bare_store_read(keyfob_bare_store *store, long row);
/* One new row, on the disk when it returns. */
int keyfob_bare_store_insert(keyfob_bare_store *store);

#endif
