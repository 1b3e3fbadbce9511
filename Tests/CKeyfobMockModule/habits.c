/* SPDX-License-Identifier: Apache-2.0 */
#include "mock.h"

#include <string.h>

enum habit { NONE, OWN_IV, SILENT_IV, WRITES_IV, FIVE_FIELDS };

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
    if (strstr(label, "silent-iv"))
        return SILENT_IV;
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
    case SILENT_IV:
        if (encrypting) {
            unsigned char drawn[sizeof zeros];
            CK_GCM_PARAMS own = *given;
            CK_MECHANISM changed = { mechanism->mechanism, &own, sizeof own };
            CK_RV result = real->C_GenerateRandom(session, drawn, sizeof drawn);

            if (given->ulIvLen != sizeof zeros || memcmp(given->pIv, zeros, sizeof zeros) != 0)
                return CKR_MECHANISM_PARAM_INVALID;
            own.pIv = drawn;
            return result != CKR_OK ? result : init(session, &changed, key);
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
        six = (CK_GCM_PARAMS){ five.iv,   five.iv_length,   8 * five.iv_length,
                               five.data, five.data_length, five.tag_bits };
        return init(session, &changed, key);
    }
    }
    return init(session, mechanism, key);
}

CK_RV own_encrypt_init(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
    CK_RV gone = key_after_logout(session, key);

    if (gone != CKR_OK)
        return gone;
    if (mechanism->mechanism != CKM_AES_GCM)
        return real->C_EncryptInit(session, mechanism, key);
    return init_gcm(real->C_EncryptInit, 1, session, mechanism, key);
}

CK_RV own_decrypt_init(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
    CK_RV gone = key_after_logout(session, key);

    if (gone != CKR_OK)
        return gone;
    if (mechanism->mechanism != CKM_AES_GCM)
        return real->C_DecryptInit(session, mechanism, key);
    return init_gcm(real->C_DecryptInit, 0, session, mechanism, key);
}
