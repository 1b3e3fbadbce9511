/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CKeyfobMockModule.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <p11-kit/pkcs11.h>

static CK_FUNCTION_LIST list;
static CK_FUNCTION_LIST *real;

enum habit { NONE, OWN_IV, WRITES_IV, FIVE_FIELDS, NO_PRESENCE, PIN_PAD };

static enum habit habit_of(CK_SESSION_HANDLE session)
{
    CK_SESSION_INFO session_info;
    CK_TOKEN_INFO token;
    char label[sizeof token.label + 1] = "";

    if (real->C_GetSessionInfo(session, &session_info) != CKR_OK ||
        real->C_GetTokenInfo(session_info.slotID, &token) != CKR_OK)
        return NONE;
    memcpy(label, token.label, sizeof token.label);
    if (strstr(label, "own-iv"))
        return OWN_IV;
    if (strstr(label, "writes-iv"))
        return WRITES_IV;
    if (strstr(label, "five-fields"))
        return FIVE_FIELDS;
    if (strstr(label, "no-presence"))
        return NO_PRESENCE;
    if (strstr(label, "pin-pad"))
        return PIN_PAD;
    return NONE;
}

typedef CK_RV (*init_function)(CK_SESSION_HANDLE, CK_MECHANISM *, CK_OBJECT_HANDLE);

static CK_RV init_gcm(init_function init, int encrypting, CK_SESSION_HANDLE session, CK_MECHANISM *mechanism,
                      CK_OBJECT_HANDLE key)
{
    CK_GCM_PARAMS *given = mechanism->pParameter;
    static const unsigned char zeros[12];

    switch (habit_of(session)) {
    case NONE:
    case NO_PRESENCE:
    case PIN_PAD:
        break;
    case OWN_IV:
        if (encrypting && (given->ulIvLen != sizeof zeros || memcmp(given->pIv, zeros, sizeof zeros) != 0))
            return CKR_MECHANISM_PARAM_INVALID;
        /* fall through */
    case WRITES_IV:
        if (encrypting) {
            CK_RV drawn = real->C_GenerateRandom(session, given->pIv, given->ulIvLen);
            if (drawn != CKR_OK)
                return drawn;
        }
        break;
    case FIVE_FIELDS: {
        struct {
            unsigned char *iv;
            CK_ULONG iv_length;
            unsigned char *data;
            CK_ULONG data_length, tag_bits;
        } five;
        CK_GCM_PARAMS six;
        CK_MECHANISM changed = { mechanism->mechanism, &six, sizeof six };

        if (mechanism->ulParameterLen != sizeof five)
            return CKR_MECHANISM_PARAM_INVALID;
        memcpy(&five, mechanism->pParameter, sizeof five);
        six = (CK_GCM_PARAMS){ five.iv, five.iv_length, 8 * five.iv_length, five.data, five.data_length, five.tag_bits };
        return init(session, &changed, key);
    }
    }
    return init(session, mechanism, key);
}

static CK_RV encrypt_init(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
    if (mechanism->mechanism != CKM_AES_GCM)
        return real->C_EncryptInit(session, mechanism, key);
    return init_gcm(real->C_EncryptInit, 1, session, mechanism, key);
}

static CK_RV decrypt_init(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
    if (mechanism->mechanism != CKM_AES_GCM)
        return real->C_DecryptInit(session, mechanism, key);
    return init_gcm(real->C_DecryptInit, 0, session, mechanism, key);
}

/* What a token that stops answering does: the call comes back late. */
static void hang_if_told(void)
{
    const char *name = getenv("KEYFOB_MOCK_HANG");
    char taken[4096];

    if (name == NULL || snprintf(taken, sizeof taken, "%s.taken", name) >= (int)sizeof taken ||
        rename(name, taken) != 0)
        return;
    int fifo = open(taken, O_RDONLY | O_CLOEXEC);
    if (fifo >= 0)
        close(fifo);
}

static CK_RV decrypt(CK_SESSION_HANDLE session, CK_BYTE *sealed, CK_ULONG sealed_length, CK_BYTE *data,
                     CK_ULONG *data_length)
{
    hang_if_told();
    return real->C_Decrypt(session, sealed, sealed_length, data, data_length);
}

/* Takes CKA_ALWAYS_AUTHENTICATE and forgets it. */
static CK_RV generate_key_pair(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_ATTRIBUTE *public_template,
                               CK_ULONG public_count, CK_ATTRIBUTE *private_template, CK_ULONG private_count,
                               CK_OBJECT_HANDLE *public_key, CK_OBJECT_HANDLE *private_key)
{
    CK_ATTRIBUTE kept[32];
    CK_ULONG count = 0;

    if (habit_of(session) != NO_PRESENCE || private_count > sizeof kept / sizeof *kept)
        return real->C_GenerateKeyPair(session, mechanism, public_template, public_count, private_template,
                                       private_count, public_key, private_key);
    for (CK_ULONG i = 0; i < private_count; i++)
        if (private_template[i].type != CKA_ALWAYS_AUTHENTICATE)
            kept[count++] = private_template[i];
    return real->C_GenerateKeyPair(session, mechanism, public_template, public_count, kept, count, public_key,
                                   private_key);
}

/* ... and says that it has it. */
static CK_RV get_attribute_value(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *template,
                                 CK_ULONG count)
{
    CK_RV value = real->C_GetAttributeValue(session, object, template, count);

    for (CK_ULONG i = 0; value == CKR_OK && i < count; i++)
        if (template[i].type == CKA_ALWAYS_AUTHENTICATE && template[i].pValue != NULL &&
            habit_of(session) == NO_PRESENCE)
            *(CK_BBOOL *)template[i].pValue = CK_TRUE;
    return value;
}

static int is_named(CK_TOKEN_INFO *info, const char *word)
{
    char label[sizeof info->label + 1] = "";

    memcpy(label, info->label, sizeof info->label);
    return strstr(label, word) != NULL;
}

static _Atomic int final_try;

static CK_RV get_token_info(CK_SLOT_ID slot, CK_TOKEN_INFO *info)
{
    CK_RV value = real->C_GetTokenInfo(slot, info);

    if (value == CKR_OK && is_named(info, "pin-pad"))
        info->flags |= CKF_PROTECTED_AUTHENTICATION_PATH;
    if (value == CKR_OK && final_try && is_named(info, "final-try"))
        info->flags |= CKF_USER_PIN_FINAL_TRY;
    return value;
}

/* The person at the pin pad types what the last login of the thread had. */
static CK_RV login(CK_SESSION_HANDLE session, CK_USER_TYPE user, CK_UTF8CHAR *pin, CK_ULONG length)
{
    static _Thread_local CK_UTF8CHAR typed[64];
    static _Thread_local CK_ULONG typed_length;

    if (habit_of(session) != PIN_PAD) {
        CK_RV value = real->C_Login(session, user, pin, length);
        if (value == CKR_PIN_INCORRECT && user == CKU_CONTEXT_SPECIFIC)
            final_try = 1;
        return value;
    }
    if (pin == NULL)
        return real->C_Login(session, user, typed, typed_length);
    if (length <= sizeof typed) {
        memcpy(typed, pin, length);
        typed_length = length;
    }
    return real->C_Login(session, user, pin, length);
}

CK_RV C_GetFunctionList(CK_FUNCTION_LIST_PTR_PTR result)
{
    static const char *const paths[] = {
        "/usr/lib/softhsm/libsofthsm2.so", "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
        "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so", "/usr/lib64/pkcs11/libsofthsm2.so",
    };
    CK_RV (*get)(CK_FUNCTION_LIST_PTR_PTR) = NULL;

    for (size_t i = 0; get == NULL && i < sizeof paths / sizeof *paths; i++) {
        void *library = dlopen(paths[i], RTLD_NOW | RTLD_LOCAL);
        if (library != NULL)
            *(void **)&get = dlsym(library, "C_GetFunctionList");
    }
    if (get == NULL || get(&real) != CKR_OK)
        return CKR_GENERAL_ERROR;
    list = *real;
    list.C_GetFunctionList = C_GetFunctionList;
    list.C_EncryptInit = encrypt_init;
    list.C_DecryptInit = decrypt_init;
    list.C_Decrypt = decrypt;
    list.C_GenerateKeyPair = generate_key_pair;
    list.C_GetAttributeValue = get_attribute_value;
    list.C_GetTokenInfo = get_token_info;
    list.C_Login = login;
    *result = &list;
    return CKR_OK;
}
