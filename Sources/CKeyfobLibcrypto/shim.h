/* SPDX-License-Identifier: Apache-2.0 */
/* SHA256_CTX is deprecated in favour of EVP, whose contexts live on libcrypto's heap: HMACSHA256.swift says why that
   will not do for a key that stays. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
