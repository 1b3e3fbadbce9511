/* SPDX-License-Identifier: Apache-2.0 */
#include "CKeyfobBench.h"

#include <dlfcn.h>
#include <p11-kit/p11-kit.h>
#include <stdlib.h>
#include <string.h>

struct keyfob_bare_token {
    void *library;
    CK_FUNCTION_LIST *managed;
    CK_FUNCTION_LIST *functions;
    CK_SESSION_HANDLE session;
    CK_OBJECT_HANDLE key;
    CK_BYTE iv[12];
    CK_BYTE aad[96];
    CK_BYTE plaintext[48];
    CK_BYTE sealed[64];
};

/* The layout that most modules read; p11-kit's header has none. */
struct gcm_parameters {
    CK_BYTE *iv;
    CK_ULONG iv_length, iv_bits;
    CK_BYTE *aad;
    CK_ULONG aad_length, tag_bits;
};

static CK_RV find_slot(CK_FUNCTION_LIST *functions, const char *label, CK_SLOT_ID *slot)
{
    CK_SLOT_ID slots[64];
    CK_ULONG count = sizeof slots / sizeof *slots;
    CK_RV rv = functions->C_GetSlotList(CK_TRUE, slots, &count);
    if (rv != CKR_OK) return rv;
    for (CK_ULONG index = 0; index < count; index++) {
        CK_TOKEN_INFO info;
        if (functions->C_GetTokenInfo(slots[index], &info) != CKR_OK) continue;
        size_t length = strlen(label);
        if (length > sizeof info.label || memcmp(info.label, label, length) != 0) continue;
        if (length < sizeof info.label && info.label[length] != ' ') continue;
        *slot = slots[index];
        return CKR_OK;
    }
    return CKR_TOKEN_NOT_PRESENT;
}

static CK_RV make_key(keyfob_bare_token *token, int is_private)
{
    CK_BBOOL yes = CK_TRUE, no = CK_FALSE, priv = is_private ? CK_TRUE : CK_FALSE;
    CK_ULONG length = 32;
    CK_ATTRIBUTE attributes[] = {
        {CKA_TOKEN, &no, sizeof no},
        {CKA_PRIVATE, &priv, sizeof priv},
        {CKA_SENSITIVE, &yes, sizeof yes},
        {CKA_EXTRACTABLE, &no, sizeof no},
        {CKA_ENCRYPT, &yes, sizeof yes},
        {CKA_DECRYPT, &yes, sizeof yes},
        {CKA_VALUE_LEN, &length, sizeof length},
    };
    CK_MECHANISM mechanism = {CKM_AES_KEY_GEN, NULL, 0};
    return token->functions->C_GenerateKey(
        token->session, &mechanism, attributes, sizeof attributes / sizeof *attributes, &token->key);
}

static CK_RV load(keyfob_bare_token *token, const char *module_path, enum keyfob_bare_path path)
{
    if (path == KEYFOB_BARE_P11_KIT) {
        token->managed = p11_kit_module_load(module_path, 0);
        if (token->managed == NULL) return CKR_GENERAL_ERROR;
        token->functions = token->managed;
        return p11_kit_module_initialize(token->managed);
    }
    CK_RV (*get_list)(CK_FUNCTION_LIST **);
    token->library = dlopen(module_path, RTLD_NOW | RTLD_LOCAL);
    if (token->library == NULL) return CKR_GENERAL_ERROR;
    *(void **)&get_list = dlsym(token->library, "C_GetFunctionList");
    return get_list == NULL ? CKR_GENERAL_ERROR : get_list(&token->functions);
}

keyfob_bare_token *keyfob_bare_token_open(
    const char *module_path, const char *label, enum keyfob_bare_path path, int is_private, const char **function,
    unsigned long *value)
{
    keyfob_bare_token *token = calloc(1, sizeof *token);
    CK_SLOT_ID slot;
    if (token == NULL) return NULL;
    memset(token->iv, 7, sizeof token->iv);
    *function = "C_GetFunctionList";
    if ((*value = load(token, module_path, path)) != CKR_OK) goto failed;
    *function = "C_GetSlotList";
    if ((*value = find_slot(token->functions, label, &slot)) != CKR_OK) goto failed;
    *function = "C_OpenSession";
    if ((*value = token->functions->C_OpenSession(slot, CKF_SERIAL_SESSION, NULL, NULL, &token->session)) != CKR_OK)
        goto failed;
    *function = "C_GenerateKey";
    if ((*value = make_key(token, is_private)) != CKR_OK) goto failed;
    *function = "C_Encrypt";
    if ((*value = keyfob_bare_token_encrypt(token)) != CKR_OK) goto failed;
    return token;
failed:
    keyfob_bare_token_close(token);
    return NULL;
}

void keyfob_bare_token_close(keyfob_bare_token *token)
{
    if (token->session != 0) token->functions->C_CloseSession(token->session);
    if (token->managed != NULL) {
        p11_kit_module_finalize(token->managed);
        p11_kit_module_release(token->managed);
    }
    if (token->library != NULL) dlclose(token->library);
    free(token);
}

static struct gcm_parameters parameters(keyfob_bare_token *token)
{
    struct gcm_parameters made = {
        token->iv, sizeof token->iv, 8 * sizeof token->iv, token->aad, sizeof token->aad, 128};
    return made;
}

unsigned long keyfob_bare_token_decrypt(keyfob_bare_token *token)
{
    struct gcm_parameters gcm = parameters(token);
    CK_MECHANISM mechanism = {CKM_AES_GCM, &gcm, sizeof gcm};
    CK_BYTE plaintext[sizeof token->sealed];
    CK_ULONG length = sizeof plaintext;
    CK_RV rv = token->functions->C_DecryptInit(token->session, &mechanism, token->key);
    if (rv != CKR_OK) return rv;
    return token->functions->C_Decrypt(token->session, token->sealed, sizeof token->sealed, plaintext, &length);
}

unsigned long keyfob_bare_token_encrypt(keyfob_bare_token *token)
{
    struct gcm_parameters gcm = parameters(token);
    CK_MECHANISM mechanism = {CKM_AES_GCM, &gcm, sizeof gcm};
    CK_ULONG length = sizeof token->sealed;
    CK_RV rv = token->functions->C_EncryptInit(token->session, &mechanism, token->key);
    if (rv != CKR_OK) return rv;
    return token->functions->C_Encrypt(
        token->session, token->plaintext, sizeof token->plaintext, token->sealed, &length);
}
