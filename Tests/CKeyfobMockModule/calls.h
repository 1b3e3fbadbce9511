/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that can be scripted: those that Keyfob calls. Others go straight to SoftHSM.

   CALL(name, what is called, what it is about, its handle, the length that it answers, parameters, arguments) */

CALL(C_Initialize, own_initialize, ABOUT_MODULE, NULL, NULL, (void *reserved), (reserved))
CALL(C_Finalize, own_finalize, ABOUT_MODULE, NULL, NULL, (void *reserved), (reserved))
CALL(C_GetInfo, real->C_GetInfo, ABOUT_MODULE, NULL, NULL, (CK_INFO *info), (info))
CALL(C_GetSlotList, own_get_slot_list, ABOUT_MODULE, NULL, count,
     (CK_BBOOL present, CK_SLOT_ID *slots, CK_ULONG *count), (present, slots, count))
CALL(C_GetSlotInfo, real->C_GetSlotInfo, ABOUT_SLOT, &slot, NULL, (CK_SLOT_ID slot, CK_SLOT_INFO *info), (slot, info))
CALL(C_GetTokenInfo, own_get_token_info, ABOUT_SLOT, &slot, NULL, (CK_SLOT_ID slot, CK_TOKEN_INFO *info), (slot, info))
CALL(C_GetMechanismList, real->C_GetMechanismList, ABOUT_SLOT, &slot, count,
     (CK_SLOT_ID slot, CK_MECHANISM_TYPE *types, CK_ULONG *count), (slot, types, count))
CALL(C_GetMechanismInfo, real->C_GetMechanismInfo, ABOUT_SLOT, &slot, NULL,
     (CK_SLOT_ID slot, CK_MECHANISM_TYPE type, CK_MECHANISM_INFO *info), (slot, type, info))
CALL(C_InitToken, real->C_InitToken, ABOUT_SLOT, &slot, NULL,
     (CK_SLOT_ID slot, CK_BYTE *pin, CK_ULONG length, CK_BYTE *label), (slot, pin, length, label))
CALL(C_OpenSession, own_open_session, ABOUT_SLOT, &slot, NULL,
     (CK_SLOT_ID slot, CK_FLAGS flags, void *application, CK_NOTIFY notify, CK_SESSION_HANDLE *session),
     (slot, flags, application, notify, session))
CALL(C_CloseSession, own_close_session, ABOUT_SESSION, &session, NULL, (CK_SESSION_HANDLE session), (session))
CALL(C_GetSessionInfo, own_get_session_info, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session, CK_SESSION_INFO *info), (session, info))
CALL(C_Login, own_login, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session, CK_USER_TYPE user, CK_BYTE *pin, CK_ULONG length), (session, user, pin, length))
CALL(C_Logout, own_logout, ABOUT_SESSION, &session, NULL, (CK_SESSION_HANDLE session), (session))
CALL(C_InitPIN, own_init_pin, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session, CK_BYTE *pin, CK_ULONG length), (session, pin, length))
CALL(C_SetPIN, own_set_pin, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session, CK_BYTE *old, CK_ULONG old_length, CK_BYTE *pin, CK_ULONG length),
     (session, old, old_length, pin, length))
CALL(C_CreateObject, own_create_object, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session, CK_ATTRIBUTE *attributes, CK_ULONG count, CK_OBJECT_HANDLE *made),
     (session, attributes, count, made))
CALL(C_CopyObject, own_copy_object, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *attributes, CK_ULONG count,
      CK_OBJECT_HANDLE *made), (session, object, attributes, count, made))
CALL(C_DestroyObject, real->C_DestroyObject, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object), (session, object))
CALL(C_GetAttributeValue, own_get_attribute_value, ABOUT_SESSION, &session, count == 1 ? &attributes->ulValueLen : NULL,
     (CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *attributes, CK_ULONG count),
     (session, object, attributes, count))
CALL(C_SetAttributeValue, own_set_attribute_value, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *attributes, CK_ULONG count),
     (session, object, attributes, count))
CALL(C_FindObjectsInit, real->C_FindObjectsInit, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session, CK_ATTRIBUTE *attributes, CK_ULONG count), (session, attributes, count))
CALL(C_FindObjects, own_find_objects, ABOUT_SESSION, &session, count,
     (CK_SESSION_HANDLE session, CK_OBJECT_HANDLE *objects, CK_ULONG limit, CK_ULONG *count),
     (session, objects, limit, count))
CALL(C_FindObjectsFinal, real->C_FindObjectsFinal, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session), (session))
CALL(C_EncryptInit, own_encrypt_init, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key), (session, mechanism, key))
CALL(C_Encrypt, real->C_Encrypt, ABOUT_SESSION, &session, length,
     (CK_SESSION_HANDLE session, CK_BYTE *data, CK_ULONG size, CK_BYTE *sealed, CK_ULONG *length),
     (session, data, size, sealed, length))
CALL(C_DecryptInit, own_decrypt_init, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key), (session, mechanism, key))
CALL(C_Decrypt, real->C_Decrypt, ABOUT_SESSION, &session, length,
     (CK_SESSION_HANDLE session, CK_BYTE *sealed, CK_ULONG size, CK_BYTE *data, CK_ULONG *length),
     (session, sealed, size, data, length))
CALL(C_SignInit, real->C_SignInit, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key), (session, mechanism, key))
CALL(C_Sign, real->C_Sign, ABOUT_SESSION, &session, length,
     (CK_SESSION_HANDLE session, CK_BYTE *data, CK_ULONG size, CK_BYTE *signature, CK_ULONG *length),
     (session, data, size, signature, length))
CALL(C_GenerateKey, own_generate_key, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_ATTRIBUTE *attributes, CK_ULONG count,
      CK_OBJECT_HANDLE *made), (session, mechanism, attributes, count, made))
CALL(C_GenerateKeyPair, own_generate_key_pair, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_ATTRIBUTE *public_attributes, CK_ULONG public_count,
      CK_ATTRIBUTE *attributes, CK_ULONG count, CK_OBJECT_HANDLE *made_public, CK_OBJECT_HANDLE *made),
     (session, mechanism, public_attributes, public_count, attributes, count, made_public, made))
CALL(C_WrapKey, real->C_WrapKey, ABOUT_SESSION, &session, length,
     (CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE wrapping, CK_OBJECT_HANDLE key,
      CK_BYTE *wrapped, CK_ULONG *length), (session, mechanism, wrapping, key, wrapped, length))
CALL(C_UnwrapKey, own_unwrap_key, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE unwrapping, CK_BYTE *wrapped,
      CK_ULONG length, CK_ATTRIBUTE *attributes, CK_ULONG count, CK_OBJECT_HANDLE *made),
     (session, mechanism, unwrapping, wrapped, length, attributes, count, made))
CALL(C_DeriveKey, real->C_DeriveKey, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE base, CK_ATTRIBUTE *attributes, CK_ULONG count,
      CK_OBJECT_HANDLE *made), (session, mechanism, base, attributes, count, made))
CALL(C_GenerateRandom, real->C_GenerateRandom, ABOUT_SESSION, &session, NULL,
     (CK_SESSION_HANDLE session, CK_BYTE *bytes, CK_ULONG count), (session, bytes, count))

#undef CALL
