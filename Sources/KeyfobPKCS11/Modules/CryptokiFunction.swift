// SPDX-License-Identifier: Apache-2.0

/// The Cryptoki functions that Keyfob calls; the raw value is a dense index.
package enum CryptokiFunction: Int, CaseIterable, Sendable {
    // General, slots and tokens: PKCS #11 v3.1 §5.4, §5.5
    case initialize
    case finalize
    case getInfo
    case getSlotList
    case getSlotInfo
    case getTokenInfo
    case getMechanismList
    case getMechanismInfo
    case initToken
    case initPIN
    case setPIN
    // Sessions: §5.6
    case openSession
    case closeSession
    case getSessionInfo
    case login
    case logout
    // Objects: §5.7
    case createObject
    case copyObject
    case destroyObject
    case getAttributeValue
    case setAttributeValue
    case findObjectsInit
    case findObjects
    case findObjectsFinal
    // Encryption, decryption, signing: §5.8 to §5.13
    case encryptInit
    case encrypt
    case decryptInit
    case decrypt
    case signInit
    case sign
    // Keys and random numbers: §5.18, §5.19
    case generateKey
    case generateKeyPair
    case wrapKey
    case unwrapKey
    case deriveKey
    case generateRandom

    /// The C name, such as `C_Login`.
    package var name: String { Self.names[rawValue] }

    /// C names in the order of the cases.
    private static let names = [
        "C_Initialize", "C_Finalize", "C_GetInfo", "C_GetSlotList", "C_GetSlotInfo", "C_GetTokenInfo",
        "C_GetMechanismList", "C_GetMechanismInfo", "C_InitToken", "C_InitPIN", "C_SetPIN", "C_OpenSession",
        "C_CloseSession",
        "C_GetSessionInfo", "C_Login", "C_Logout", "C_CreateObject", "C_CopyObject", "C_DestroyObject",
        "C_GetAttributeValue", "C_SetAttributeValue", "C_FindObjectsInit", "C_FindObjects", "C_FindObjectsFinal",
        "C_EncryptInit", "C_Encrypt", "C_DecryptInit", "C_Decrypt", "C_SignInit", "C_Sign", "C_GenerateKey",
        "C_GenerateKeyPair", "C_WrapKey", "C_UnwrapKey", "C_DeriveKey", "C_GenerateRandom",
    ]
}
