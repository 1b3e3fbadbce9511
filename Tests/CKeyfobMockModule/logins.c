/* SPDX-License-Identifier: Apache-2.0 */
/* PINs entered on the device, and logouts after which keys go on working.

   Such a logout is feigned: SoftHSM stays logged in, and what a real logout takes away is refused here. */
#include <string.h>

#include "mock.h"

/* The rule's `other` is 1 while its token feigns to be logged out. */
static struct rule *feigned(CK_SESSION_HANDLE handle)
{
    struct session *session = session_of(handle);

    return session != NULL ? rule_for(KEEP_LOGIN, CALL_C_Logout, session->label, 0) : NULL;
}

CK_RV own_logout(CK_SESSION_HANDLE session)
{
    CK_RV result = PASS;

    pthread_mutex_lock(&mock_lock);
    struct rule *rule = feigned(session);
    if (rule != NULL) {
        result = rule->other == 1 ? CKR_USER_NOT_LOGGED_IN : CKR_OK;
        rule->other = 1;
    }
    pthread_mutex_unlock(&mock_lock);
    return result != PASS ? result : real->C_Logout(session);
}

CK_RV own_login(CK_SESSION_HANDLE session, CK_USER_TYPE user, CK_BYTE *pin, CK_ULONG length)
{
    struct rule entered;
    char label[33];

    label_of_session(session, label);
    if (user != CKU_CONTEXT_SPECIFIC) {
        pthread_mutex_lock(&mock_lock);
        struct rule *rule = feigned(session);
        if (rule != NULL && rule->other == 1) {
            real->C_Logout(session);
            rule->other = 0;
        }
        pthread_mutex_unlock(&mock_lock);
    }
    if (pin == NULL && take(&entered, user == CKU_SO ? DEVICE_SO_PIN : DEVICE_PIN, CALL_C_Login, label, 0))
        return real->C_Login(session, user, entered.bytes, (CK_ULONG)entered.size);
    return real->C_Login(session, user, pin, length);
}

/* The person enters the new PIN from now on. */
static void note_new_pin(const char *label, const struct rule *entered)
{
    pthread_mutex_lock(&mock_lock);
    struct rule *rule = rule_for(DEVICE_PIN, ANY_FUNCTION, label, 0);
    if (rule != NULL) {
        memcpy(rule->bytes, entered->bytes, sizeof rule->bytes);
        rule->size = entered->size;
    }
    pthread_mutex_unlock(&mock_lock);
}

CK_RV own_init_pin(CK_SESSION_HANDLE session, CK_BYTE *pin, CK_ULONG length)
{
    struct rule entered;
    char label[33];

    label_of_session(session, label);
    if (pin != NULL || !take(&entered, DEVICE_NEW_PIN, CALL_C_InitPIN, label, 0))
        return real->C_InitPIN(session, pin, length);
    CK_RV result = real->C_InitPIN(session, entered.bytes, (CK_ULONG)entered.size);
    if (result == CKR_OK)
        note_new_pin(label, &entered);
    return result;
}

CK_RV own_set_pin(CK_SESSION_HANDLE session, CK_BYTE *old, CK_ULONG old_length, CK_BYTE *pin, CK_ULONG length)
{
    struct rule before, entered;
    char label[33];

    label_of_session(session, label);
    if (old != NULL || pin != NULL || !take(&before, DEVICE_PIN, CALL_C_SetPIN, label, 0) ||
        !take(&entered, DEVICE_NEW_PIN, CALL_C_SetPIN, label, 0))
        return real->C_SetPIN(session, old, old_length, pin, length);
    CK_RV result = real->C_SetPIN(
        session, before.bytes, (CK_ULONG)before.size, entered.bytes, (CK_ULONG)entered.size);
    if (result == CKR_OK)
        note_new_pin(label, &entered);
    return result;
}

CK_RV own_get_session_info(CK_SESSION_HANDLE session, CK_SESSION_INFO *info)
{
    CK_RV result = real->C_GetSessionInfo(session, info);
    struct rule moved;
    char label[33];

    if (result != CKR_OK)
        return result;
    label_of_session(session, label);
    if (take(&moved, MOVED, CALL_C_GetSessionInfo, label, 0))
        info->slotID += moved.value;
    pthread_mutex_lock(&mock_lock);
    struct rule *rule = feigned(session);
    if (rule != NULL && rule->other == 1)
        info->state = info->state == CKS_RO_USER_FUNCTIONS ? CKS_RO_PUBLIC_SESSION : CKS_RW_PUBLIC_SESSION;
    pthread_mutex_unlock(&mock_lock);
    return CKR_OK;
}

/* What is left of a feigned logout: -1 for none. */
static int kept(CK_SESSION_HANDLE session)
{
    pthread_mutex_lock(&mock_lock);
    struct rule *rule = feigned(session);
    int keep = rule != NULL && rule->other == 1 ? (int)rule->value : -1;
    pthread_mutex_unlock(&mock_lock);
    return keep;
}

int is_private(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object)
{
    CK_BBOOL value = CK_FALSE;
    CK_ATTRIBUTE attribute = { CKA_PRIVATE, &value, sizeof value };

    return real->C_GetAttributeValue(session, object, &attribute, 1) == CKR_OK && value && !is_public_copy(object);
}

CK_RV key_after_logout(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key)
{
    return kept(session) == KEEP_COPIES && is_private(session, key) ? CKR_KEY_HANDLE_INVALID : CKR_OK;
}

CK_RV own_find_objects(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE *objects, CK_ULONG limit, CK_ULONG *count)
{
    CK_RV result;
    CK_ULONG shown;

    /* None shown would say that there are no more. */
    do {
        result = real->C_FindObjects(session, objects, limit, count);
        shown = 0;
        if (result != CKR_OK || kept(session) <= KEEP_ALL)
            return result;
        for (CK_ULONG i = 0; i < *count; i++)
            if (!is_private(session, objects[i]))
                objects[shown++] = objects[i];
    } while (*count > 0 && shown == 0);
    *count = shown;
    return CKR_OK;
}

/* -- Public copies of private keys --------------------------------------------------------------------------------- */

static CK_OBJECT_HANDLE copies[1024];
static unsigned copy_count;

int makes_public_copies(CK_SESSION_HANDLE session)
{
    pthread_mutex_lock(&mock_lock);
    struct rule *rule = feigned(session);
    int makes = rule != NULL && rule->value == KEEP_COPIES;
    pthread_mutex_unlock(&mock_lock);
    return makes;
}

void note_public_copy(CK_OBJECT_HANDLE object)
{
    pthread_mutex_lock(&mock_lock);
    copies[copy_count++ % 1024] = object;
    pthread_mutex_unlock(&mock_lock);
}

int is_public_copy(CK_OBJECT_HANDLE object)
{
    int found = 0;

    pthread_mutex_lock(&mock_lock);
    for (unsigned i = 0; i < copy_count && i < 1024; i++)
        found |= copies[i] == object;
    pthread_mutex_unlock(&mock_lock);
    return found;
}
