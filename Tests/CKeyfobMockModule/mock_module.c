/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CKeyfobMockModule.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <p11-kit/pkcs11.h>

static CK_FUNCTION_LIST list;
static CK_FUNCTION_LIST *real;

enum habit { NONE, OWN_IV, WRITES_IV, FIVE_FIELDS };

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

/* Kills the process if this call is the one that KEYFOB_MOCK_KILL names. */
static void die_if_told(const char *function, int count, int after)
{
    const char *told = getenv("KEYFOB_MOCK_KILL");
    char place[64];

    snprintf(place, sizeof place, "%s:%d%s", function, count, after ? ":after" : "");
    if (told != NULL && strcmp(told, place) == 0)
        kill(getpid(), SIGKILL);
}

#define DEADLY(FUNCTION, PARAMETERS, ARGUMENTS)         \
    static CK_RV deadly_##FUNCTION PARAMETERS           \
    {                                                   \
        static int count;                               \
        die_if_told("C_" #FUNCTION, ++count, 0);        \
        CK_RV value = real->C_##FUNCTION ARGUMENTS;     \
        die_if_told("C_" #FUNCTION, count, 1);          \
        return value;                                   \
    }

DEADLY(Login, (CK_SESSION_HANDLE session, CK_USER_TYPE user, CK_BYTE *pin, CK_ULONG length), (session, user, pin, length))
DEADLY(Logout, (CK_SESSION_HANDLE session), (session))
DEADLY(InitPIN, (CK_SESSION_HANDLE session, CK_BYTE *pin, CK_ULONG length), (session, pin, length))
DEADLY(DestroyObject, (CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object), (session, object))
DEADLY(GenerateKey,
       (CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_ATTRIBUTE *template, CK_ULONG count_of_template,
        CK_OBJECT_HANDLE *key),
       (session, mechanism, template, count_of_template, key))

static CK_RV get_token_info(CK_SLOT_ID slot, CK_TOKEN_INFO *info)
{
    CK_RV value = real->C_GetTokenInfo(slot, info);
    char label[sizeof info->label + 1] = "", path[4096];
    unsigned long set = 0, clear = 0;

    if (value != CKR_OK)
        return value;
    memcpy(label, info->label, sizeof info->label);
    for (size_t end = sizeof info->label; end > 0 && label[end - 1] == ' '; end--)
        label[end - 1] = 0;
    if (strstr(label, "flags") == NULL)
        return value;
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/%s.flags", folder != NULL ? folder : "/tmp", label);
    FILE *file = fopen(path, "re");
    if (file != NULL) {
        if (fscanf(file, "%lx %lx", &set, &clear) == 2)
            info->flags = (info->flags | set) & ~clear;
        fclose(file);
    }
    return value;
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
    list.C_Login = deadly_Login;
    list.C_Logout = deadly_Logout;
    list.C_InitPIN = deadly_InitPIN;
    list.C_DestroyObject = deadly_DestroyObject;
    list.C_GenerateKey = deadly_GenerateKey;
    list.C_GetTokenInfo = get_token_info;
    *result = &list;
    return CKR_OK;
}
