// SPDX-License-Identifier: Apache-2.0
// A table of constants: what a client can see, code by code and text by text.
internal import Security

/// Name, constant, number and text (nil: the fallback form) of each status code that has a meaning for keychains.
let statusTable: [(name: String, constant: OSStatus, number: Int32, text: String?)] = [
    ("errSecSuccess", errSecSuccess, 0, "No error."),
    ("errSecUnimplemented", errSecUnimplemented, -4, "Function or operation not implemented."),
    ("errSecDiskFull", errSecDiskFull, -34, "The disk is full."),
    ("errSecIO", errSecIO, -36, "I/O error."),
    ("errSecParam", errSecParam, -50, "One or more parameters passed to a function were not valid."),
    ("errSecAllocate", errSecAllocate, -108, "Failed to allocate memory."),
    ("errSecUserCanceled", errSecUserCanceled, -128, "User canceled the operation."),
    ("errSecInternalComponent", errSecInternalComponent, -2070, nil),
    (
        "errSecNotAvailable", errSecNotAvailable, -25291,
        "No keychain is available. You may need to restart your computer."
    ),
    ("errSecReadOnly", errSecReadOnly, -25292, "This keychain cannot be modified."),
    ("errSecAuthFailed", errSecAuthFailed, -25293, "The user name or passphrase you entered is not correct."),
    ("errSecDuplicateItem", errSecDuplicateItem, -25299, "The specified item already exists in the keychain."),
    ("errSecItemNotFound", errSecItemNotFound, -25300, "The specified item could not be found in the keychain."),
    ("errSecNoSuchAttr", errSecNoSuchAttr, -25303, "The specified attribute does not exist."),
    (
        "errSecInvalidItemRef", errSecInvalidItemRef, -25304,
        "The specified item is no longer valid. It may have been deleted from the keychain."
    ),
    (
        "errSecNoSuchClass", errSecNoSuchClass, -25306,
        "The specified item does not appear to be a valid keychain item."
    ),
    ("errSecInteractionNotAllowed", errSecInteractionNotAllowed, -25308, "User interaction is not allowed."),
    ("errSecDecode", errSecDecode, -26275, "Unable to decode the provided data."),
    ("errSecInternal", errSecInternal, -26276, "An internal error occured in the Security framework."),
    ("errSecMissingEntitlement", errSecMissingEntitlement, -34018, "A required entitlement isn't present."),
    (
        "errSecRestrictedAPI", errSecRestrictedAPI, -34020,
        "Client is restricted and is not permitted to perform this operation."
    ),
    ("errSecVerifyFailed", errSecVerifyFailed, -67808, "A cryptographic verification failure has occurred."),
    ("errSSLCrypto", errSSLCrypto, -9809, nil),
    ("errSecOpWr", errSecOpWr, -49, "File already open with write permission."),
    ("errSecWrPerm", errSecWrPerm, -61, "Write permissions error."),
    ("errSecBadReq", errSecBadReq, -909, "Bad parameter or invalid state for operation."),
    ("errSecCoreFoundationUnknown", errSecCoreFoundationUnknown, -4960, nil),
    ("errSecNoSuchKeychain", errSecNoSuchKeychain, -25294, "The specified keychain could not be found."),
    ("errSecInvalidKeychain", errSecInvalidKeychain, -25295, "The specified keychain is not a valid keychain file."),
    ("errSecDuplicateKeychain", errSecDuplicateKeychain, -25296, "A keychain with the same name already exists."),
    (
        "errSecDuplicateCallback", errSecDuplicateCallback, -25297,
        "The specified callback function is already installed."
    ),
    ("errSecInvalidCallback", errSecInvalidCallback, -25298, "The specified callback function is not valid."),
    (
        "errSecBufferTooSmall", errSecBufferTooSmall, -25301,
        "There is not enough memory available to use the specified item."
    ),
    (
        "errSecDataTooLarge", errSecDataTooLarge, -25302,
        "This item contains information which is too large or in a format that cannot be displayed."
    ),
    ("errSecInvalidSearchRef", errSecInvalidSearchRef, -25305, "Unable to search the current keychain."),
    ("errSecNoDefaultKeychain", errSecNoDefaultKeychain, -25307, "A default keychain could not be found."),
    ("errSecReadOnlyAttr", errSecReadOnlyAttr, -25309, "The specified attribute could not be modified."),
    (
        "errSecWrongSecVersion", errSecWrongSecVersion, -25310,
        "This keychain was created by a different version of the system software and cannot be opened."
    ),
    (
        "errSecKeySizeNotAllowed", errSecKeySizeNotAllowed, -25311,
        "This item specifies a key size which is too large or too small."
    ),
    (
        "errSecNoStorageModule", errSecNoStorageModule, -25312,
        "A required component (data storage module) could not be loaded. You may need to restart your computer."
    ),
    (
        "errSecNoCertificateModule", errSecNoCertificateModule, -25313,
        "A required component (certificate module) could not be loaded. You may need to restart your computer."
    ),
    (
        "errSecNoPolicyModule", errSecNoPolicyModule, -25314,
        "A required component (policy module) could not be loaded. You may need to restart your computer."
    ),
    (
        "errSecInteractionRequired", errSecInteractionRequired, -25315,
        "User interaction is required, but is currently not allowed."
    ),
    ("errSecDataNotAvailable", errSecDataNotAvailable, -25316, "The contents of this item cannot be retrieved."),
    ("errSecDataNotModifiable", errSecDataNotModifiable, -25317, "The contents of this item cannot be modified."),
    (
        "errSecCreateChainFailed", errSecCreateChainFailed, -25318,
        "One or more certificates required to validate this certificate cannot be found."
    ),
    ("errSecInvalidPrefsDomain", errSecInvalidPrefsDomain, -25319, "The specified preferences domain is not valid."),
    ("errSecInDarkWake", errSecInDarkWake, -25320, "In dark wake, no UI possible"),
    (
        "errSecACLNotSimple", errSecACLNotSimple, -25240,
        "The specified access control list is not in standard (simple) form."
    ),
    ("errSecPolicyNotFound", errSecPolicyNotFound, -25241, "The specified policy cannot be found."),
    ("errSecInvalidTrustSetting", errSecInvalidTrustSetting, -25242, "The specified trust setting is invalid."),
    ("errSecNoAccessForItem", errSecNoAccessForItem, -25243, "The specified item has no access control."),
    ("errSecInvalidOwnerEdit", errSecInvalidOwnerEdit, -25244, "Invalid attempt to change the owner of this item."),
    ("errSecTrustNotAvailable", errSecTrustNotAvailable, -25245, "No trust results are available."),
    ("errSecUnsupportedFormat", errSecUnsupportedFormat, -25256, "Import/Export format unsupported."),
    ("errSecUnknownFormat", errSecUnknownFormat, -25257, "Unknown format in import."),
    ("errSecKeyIsSensitive", errSecKeyIsSensitive, -25258, "Key material must be wrapped for export."),
    ("errSecPassphraseRequired", errSecPassphraseRequired, -25260, "Passphrase is required for import/export."),
    ("errSecInvalidKeyRef", errSecInvalidKeyRef, -67712, "An invalid key was encountered."),
    ("errSecKeyUsageIncorrect", errSecKeyUsageIncorrect, -67731, "The key usage is incorrect."),
    ("errSecInternalError", errSecInternalError, -67671, "An internal error has occurred."),
    ("errSecInvalidSignature", errSecInvalidSignature, -67688, "An invalid signature was encountered."),
]
