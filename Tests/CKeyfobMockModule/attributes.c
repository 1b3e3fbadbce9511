/* SPDX-License-Identifier: Apache-2.0 */
/* Templates that lose attributes or are refused, and attributes that read otherwise than they are. */
#include <stdlib.h>
#include <string.h>

#include "mock.h"

#define MOST 64

/* A template as SoftHSM gets it; the result is CKR_OK unless the template is refused. */
static CK_RV edit(enum function function, CK_SESSION_HANDLE session, const CK_ATTRIBUTE *given, CK_ULONG *count,
                  CK_ATTRIBUTE edited[MOST])
{
    CK_ULONG kept = 0;
    char label[33];
    struct rule rule;

    label_of_session(session, label);
    for (CK_ULONG i = 0; i < *count && kept < MOST; i++) {
        pthread_mutex_lock(&mock_lock);
        struct rule *refusal = rule_for(REFUSE, function, label, given[i].type);
        int is_refused = refusal != NULL &&
                         (refusal->size < 0 || (given[i].ulValueLen == (CK_ULONG)refusal->size &&
                                                memcmp(given[i].pValue, refusal->bytes, given[i].ulValueLen) == 0));
        pthread_mutex_unlock(&mock_lock);
        if (is_refused && take(&rule, REFUSE, function, label, given[i].type))
            return rule.value;
        if (!take(NULL, STRIP, function, label, given[i].type))
            edited[kept++] = given[i];
    }
    *count = kept;
    return CKR_OK;
}

CK_RV own_create_object(CK_SESSION_HANDLE session, CK_ATTRIBUTE *attributes, CK_ULONG count, CK_OBJECT_HANDLE *made)
{
    CK_ATTRIBUTE edited[MOST];
    CK_RV refusal = edit(CALL_C_CreateObject, session, attributes, &count, edited);

    return refusal != CKR_OK ? refusal : real->C_CreateObject(session, edited, count, made);
}

CK_RV own_copy_object(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *attributes, CK_ULONG count,
                      CK_OBJECT_HANDLE *made)
{
    CK_ATTRIBUTE edited[MOST];
    CK_BBOOL stays_private = CK_TRUE;
    CK_RV result = edit(CALL_C_CopyObject, session, attributes, &count, edited);
    int is_public_copy = 0;

    if (result == CKR_OK)
        result = key_after_logout(session, object);
    if (result != CKR_OK)
        return result;
    for (CK_ULONG i = 0; i < count; i++)
        if (edited[i].type == CKA_PRIVATE && *(CK_BBOOL *)edited[i].pValue == CK_FALSE && is_private(session, object) &&
            makes_public_copies(session)) {
            edited[i].pValue = &stays_private;
            is_public_copy = 1;
        }
    result = real->C_CopyObject(session, object, edited, count, made);
    if (result == CKR_OK && is_public_copy)
        note_public_copy(*made);
    return result;
}

CK_RV own_set_attribute_value(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *attributes,
                              CK_ULONG count)
{
    CK_ATTRIBUTE edited[MOST];
    CK_RV refusal = edit(CALL_C_SetAttributeValue, session, attributes, &count, edited);

    return refusal != CKR_OK ? refusal : real->C_SetAttributeValue(session, object, edited, count);
}

CK_RV own_generate_key(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_ATTRIBUTE *attributes, CK_ULONG count,
                       CK_OBJECT_HANDLE *made)
{
    CK_ATTRIBUTE edited[MOST];
    CK_RV refusal = edit(CALL_C_GenerateKey, session, attributes, &count, edited);

    return refusal != CKR_OK ? refusal : real->C_GenerateKey(session, mechanism, edited, count, made);
}

CK_RV own_generate_key_pair(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_ATTRIBUTE *public_attributes,
                            CK_ULONG public_count, CK_ATTRIBUTE *attributes, CK_ULONG count,
                            CK_OBJECT_HANDLE *made_public, CK_OBJECT_HANDLE *made)
{
    CK_ATTRIBUTE edited[MOST];
    CK_RV refusal = edit(CALL_C_GenerateKeyPair, session, attributes, &count, edited);

    return refusal != CKR_OK ? refusal
                             : real->C_GenerateKeyPair(session, mechanism, public_attributes, public_count, edited,
                                                       count, made_public, made);
}

CK_RV own_unwrap_key(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE unwrapping,
                     CK_BYTE *wrapped, CK_ULONG length, CK_ATTRIBUTE *attributes, CK_ULONG count,
                     CK_OBJECT_HANDLE *made)
{
    CK_ATTRIBUTE edited[MOST];
    CK_RV refusal = edit(CALL_C_UnwrapKey, session, attributes, &count, edited);

    return refusal != CKR_OK
               ? refusal
               : real->C_UnwrapKey(session, mechanism, unwrapping, wrapped, length, edited, count, made);
}

static CK_RV read_one(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *attribute)
{
    CK_ULONG room = attribute->ulValueLen;
    CK_RV result = real->C_GetAttributeValue(session, object, attribute, 1);
    struct rule rule = { .size = 1 };
    char label[33];

    label_of_session(session, label);
    if (result == CKR_OBJECT_HANDLE_INVALID)
        return result;
    if (attribute->type == CKA_PRIVATE && is_public_copy(object))
        rule.bytes[0] = CK_FALSE;
    else if (!take(&rule, READ, CALL_C_GetAttributeValue, label, attribute->type))
        return result;
    attribute->ulValueLen = rule.size < 0 ? CK_UNAVAILABLE_INFORMATION : (CK_ULONG)rule.size;
    if (rule.size < 0)
        return CKR_ATTRIBUTE_TYPE_INVALID;
    if (attribute->pValue == NULL)
        return CKR_OK;
    if (room < (CK_ULONG)rule.size) {
        attribute->ulValueLen = CK_UNAVAILABLE_INFORMATION;
        return CKR_BUFFER_TOO_SMALL;
    }
    memcpy(attribute->pValue, rule.bytes, (size_t)rule.size);
    return CKR_OK;
}

CK_RV own_get_attribute_value(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *attributes,
                              CK_ULONG count)
{
    CK_RV result = CKR_OK;

    for (CK_ULONG i = 0; i < count; i++) {
        CK_RV one = read_one(session, object, &attributes[i]);
        if (one != CKR_OK)
            result = one;
    }
    return result;
}
