// SPDX-License-Identifier: Apache-2.0

/// The `CK_RV` values of PKCS #11 v3.1 §5.1 and their C names: a table, longer than other files for that.
extension ReturnValue {
    /// `CKR_OK`.
    package static let ok = Self(rawValue: 0x0)
    /// `CKR_CANCEL`.
    package static let cancel = Self(rawValue: 0x1)
    /// `CKR_HOST_MEMORY`.
    package static let hostMemory = Self(rawValue: 0x2)
    /// `CKR_SLOT_ID_INVALID`.
    package static let slotIDInvalid = Self(rawValue: 0x3)
    /// `CKR_GENERAL_ERROR`.
    package static let generalError = Self(rawValue: 0x5)
    /// `CKR_FUNCTION_FAILED`.
    package static let functionFailed = Self(rawValue: 0x6)
    /// `CKR_ARGUMENTS_BAD`.
    package static let argumentsBad = Self(rawValue: 0x7)
    /// `CKR_NO_EVENT`.
    package static let noEvent = Self(rawValue: 0x8)
    /// `CKR_NEED_TO_CREATE_THREADS`.
    package static let needToCreateThreads = Self(rawValue: 0x9)
    /// `CKR_CANT_LOCK`.
    package static let cantLock = Self(rawValue: 0xA)
    /// `CKR_ATTRIBUTE_READ_ONLY`.
    package static let attributeReadOnly = Self(rawValue: 0x10)
    /// `CKR_ATTRIBUTE_SENSITIVE`.
    package static let attributeSensitive = Self(rawValue: 0x11)
    /// `CKR_ATTRIBUTE_TYPE_INVALID`.
    package static let attributeTypeInvalid = Self(rawValue: 0x12)
    /// `CKR_ATTRIBUTE_VALUE_INVALID`.
    package static let attributeValueInvalid = Self(rawValue: 0x13)
    /// `CKR_ACTION_PROHIBITED`.
    package static let actionProhibited = Self(rawValue: 0x1B)
    /// `CKR_DATA_INVALID`.
    package static let dataInvalid = Self(rawValue: 0x20)
    /// `CKR_DATA_LEN_RANGE`.
    package static let dataLenRange = Self(rawValue: 0x21)
    /// `CKR_DEVICE_ERROR`.
    package static let deviceError = Self(rawValue: 0x30)
    /// `CKR_DEVICE_MEMORY`.
    package static let deviceMemory = Self(rawValue: 0x31)
    /// `CKR_DEVICE_REMOVED`.
    package static let deviceRemoved = Self(rawValue: 0x32)
    /// `CKR_ENCRYPTED_DATA_INVALID`.
    package static let encryptedDataInvalid = Self(rawValue: 0x40)
    /// `CKR_ENCRYPTED_DATA_LEN_RANGE`.
    package static let encryptedDataLenRange = Self(rawValue: 0x41)
    /// `CKR_AEAD_DECRYPT_FAILED`.
    package static let aeadDecryptFailed = Self(rawValue: 0x42)
    /// `CKR_FUNCTION_CANCELED`.
    package static let functionCanceled = Self(rawValue: 0x50)
    /// `CKR_FUNCTION_NOT_PARALLEL`.
    package static let functionNotParallel = Self(rawValue: 0x51)
    /// `CKR_FUNCTION_NOT_SUPPORTED`.
    package static let functionNotSupported = Self(rawValue: 0x54)
    /// `CKR_KEY_HANDLE_INVALID`.
    package static let keyHandleInvalid = Self(rawValue: 0x60)
    /// `CKR_KEY_SIZE_RANGE`.
    package static let keySizeRange = Self(rawValue: 0x62)
    /// `CKR_KEY_TYPE_INCONSISTENT`.
    package static let keyTypeInconsistent = Self(rawValue: 0x63)
    /// `CKR_KEY_NOT_NEEDED`.
    package static let keyNotNeeded = Self(rawValue: 0x64)
    /// `CKR_KEY_CHANGED`.
    package static let keyChanged = Self(rawValue: 0x65)
    /// `CKR_KEY_NEEDED`.
    package static let keyNeeded = Self(rawValue: 0x66)
    /// `CKR_KEY_INDIGESTIBLE`.
    package static let keyIndigestible = Self(rawValue: 0x67)
    /// `CKR_KEY_FUNCTION_NOT_PERMITTED`.
    package static let keyFunctionNotPermitted = Self(rawValue: 0x68)
    /// `CKR_KEY_NOT_WRAPPABLE`.
    package static let keyNotWrappable = Self(rawValue: 0x69)
    /// `CKR_KEY_UNEXTRACTABLE`.
    package static let keyUnextractable = Self(rawValue: 0x6A)
    /// `CKR_MECHANISM_INVALID`.
    package static let mechanismInvalid = Self(rawValue: 0x70)
    /// `CKR_MECHANISM_PARAM_INVALID`.
    package static let mechanismParamInvalid = Self(rawValue: 0x71)
    /// `CKR_OBJECT_HANDLE_INVALID`.
    package static let objectHandleInvalid = Self(rawValue: 0x82)
    /// `CKR_OPERATION_ACTIVE`.
    package static let operationActive = Self(rawValue: 0x90)
    /// `CKR_OPERATION_NOT_INITIALIZED`.
    package static let operationNotInitialized = Self(rawValue: 0x91)
    /// `CKR_PIN_INCORRECT`.
    package static let pinIncorrect = Self(rawValue: 0xA0)
    /// `CKR_PIN_INVALID`.
    package static let pinInvalid = Self(rawValue: 0xA1)
    /// `CKR_PIN_LEN_RANGE`.
    package static let pinLenRange = Self(rawValue: 0xA2)
    /// `CKR_PIN_EXPIRED`.
    package static let pinExpired = Self(rawValue: 0xA3)
    /// `CKR_PIN_LOCKED`.
    package static let pinLocked = Self(rawValue: 0xA4)
    /// `CKR_SESSION_CLOSED`.
    package static let sessionClosed = Self(rawValue: 0xB0)
    /// `CKR_SESSION_COUNT`.
    package static let sessionCount = Self(rawValue: 0xB1)
    /// `CKR_SESSION_HANDLE_INVALID`.
    package static let sessionHandleInvalid = Self(rawValue: 0xB3)
    /// `CKR_SESSION_PARALLEL_NOT_SUPPORTED`.
    package static let sessionParallelNotSupported = Self(rawValue: 0xB4)
    /// `CKR_SESSION_READ_ONLY`.
    package static let sessionReadOnly = Self(rawValue: 0xB5)
    /// `CKR_SESSION_EXISTS`.
    package static let sessionExists = Self(rawValue: 0xB6)
    /// `CKR_SESSION_READ_ONLY_EXISTS`.
    package static let sessionReadOnlyExists = Self(rawValue: 0xB7)
    /// `CKR_SESSION_READ_WRITE_SO_EXISTS`.
    package static let sessionReadWriteSOExists = Self(rawValue: 0xB8)
    /// `CKR_SIGNATURE_INVALID`.
    package static let signatureInvalid = Self(rawValue: 0xC0)
    /// `CKR_SIGNATURE_LEN_RANGE`.
    package static let signatureLenRange = Self(rawValue: 0xC1)
    /// `CKR_TEMPLATE_INCOMPLETE`.
    package static let templateIncomplete = Self(rawValue: 0xD0)
    /// `CKR_TEMPLATE_INCONSISTENT`.
    package static let templateInconsistent = Self(rawValue: 0xD1)
    /// `CKR_TOKEN_NOT_PRESENT`.
    package static let tokenNotPresent = Self(rawValue: 0xE0)
    /// `CKR_TOKEN_NOT_RECOGNIZED`.
    package static let tokenNotRecognized = Self(rawValue: 0xE1)
    /// `CKR_TOKEN_WRITE_PROTECTED`.
    package static let tokenWriteProtected = Self(rawValue: 0xE2)
    /// `CKR_UNWRAPPING_KEY_HANDLE_INVALID`.
    package static let unwrappingKeyHandleInvalid = Self(rawValue: 0xF0)
    /// `CKR_UNWRAPPING_KEY_SIZE_RANGE`.
    package static let unwrappingKeySizeRange = Self(rawValue: 0xF1)
    /// `CKR_UNWRAPPING_KEY_TYPE_INCONSISTENT`.
    package static let unwrappingKeyTypeInconsistent = Self(rawValue: 0xF2)
    /// `CKR_USER_ALREADY_LOGGED_IN`.
    package static let userAlreadyLoggedIn = Self(rawValue: 0x100)
    /// `CKR_USER_NOT_LOGGED_IN`.
    package static let userNotLoggedIn = Self(rawValue: 0x101)
    /// `CKR_USER_PIN_NOT_INITIALIZED`.
    package static let userPINNotInitialized = Self(rawValue: 0x102)
    /// `CKR_USER_TYPE_INVALID`.
    package static let userTypeInvalid = Self(rawValue: 0x103)
    /// `CKR_USER_ANOTHER_ALREADY_LOGGED_IN`.
    package static let userAnotherAlreadyLoggedIn = Self(rawValue: 0x104)
    /// `CKR_USER_TOO_MANY_TYPES`.
    package static let userTooManyTypes = Self(rawValue: 0x105)
    /// `CKR_WRAPPED_KEY_INVALID`.
    package static let wrappedKeyInvalid = Self(rawValue: 0x110)
    /// `CKR_WRAPPED_KEY_LEN_RANGE`.
    package static let wrappedKeyLenRange = Self(rawValue: 0x112)
    /// `CKR_WRAPPING_KEY_HANDLE_INVALID`.
    package static let wrappingKeyHandleInvalid = Self(rawValue: 0x113)
    /// `CKR_WRAPPING_KEY_SIZE_RANGE`.
    package static let wrappingKeySizeRange = Self(rawValue: 0x114)
    /// `CKR_WRAPPING_KEY_TYPE_INCONSISTENT`.
    package static let wrappingKeyTypeInconsistent = Self(rawValue: 0x115)
    /// `CKR_RANDOM_SEED_NOT_SUPPORTED`.
    package static let randomSeedNotSupported = Self(rawValue: 0x120)
    /// `CKR_RANDOM_NO_RNG`.
    package static let randomNoRNG = Self(rawValue: 0x121)
    /// `CKR_DOMAIN_PARAMS_INVALID`.
    package static let domainParamsInvalid = Self(rawValue: 0x130)
    /// `CKR_CURVE_NOT_SUPPORTED`.
    package static let curveNotSupported = Self(rawValue: 0x140)
    /// `CKR_BUFFER_TOO_SMALL`.
    package static let bufferTooSmall = Self(rawValue: 0x150)
    /// `CKR_SAVED_STATE_INVALID`.
    package static let savedStateInvalid = Self(rawValue: 0x160)
    /// `CKR_INFORMATION_SENSITIVE`.
    package static let informationSensitive = Self(rawValue: 0x170)
    /// `CKR_STATE_UNSAVEABLE`.
    package static let stateUnsaveable = Self(rawValue: 0x180)
    /// `CKR_CRYPTOKI_NOT_INITIALIZED`.
    package static let cryptokiNotInitialized = Self(rawValue: 0x190)
    /// `CKR_CRYPTOKI_ALREADY_INITIALIZED`.
    package static let cryptokiAlreadyInitialized = Self(rawValue: 0x191)
    /// `CKR_MUTEX_BAD`.
    package static let mutexBad = Self(rawValue: 0x1A0)
    /// `CKR_MUTEX_NOT_LOCKED`.
    package static let mutexNotLocked = Self(rawValue: 0x1A1)
    /// `CKR_NEW_PIN_MODE`.
    package static let newPINMode = Self(rawValue: 0x1B0)
    /// `CKR_NEXT_OTP`.
    package static let nextOTP = Self(rawValue: 0x1B1)
    /// `CKR_EXCEEDED_MAX_ITERATIONS`.
    package static let exceededMaxIterations = Self(rawValue: 0x1C0)
    /// `CKR_FIPS_SELF_TEST_FAILED`.
    package static let fipsSelfTestFailed = Self(rawValue: 0x1C1)
    /// `CKR_LIBRARY_LOAD_FAILED`.
    package static let libraryLoadFailed = Self(rawValue: 0x1C2)
    /// `CKR_PIN_TOO_WEAK`.
    package static let pinTooWeak = Self(rawValue: 0x1C3)
    /// `CKR_PUBLIC_KEY_INVALID`.
    package static let publicKeyInvalid = Self(rawValue: 0x1C4)
    /// `CKR_FUNCTION_REJECTED`.
    package static let functionRejected = Self(rawValue: 0x200)
    /// `CKR_TOKEN_RESOURCE_EXCEEDED`.
    package static let tokenResourceExceeded = Self(rawValue: 0x201)
    /// `CKR_OPERATION_CANCEL_FAILED`.
    package static let operationCancelFailed = Self(rawValue: 0x202)
    /// `CKR_KEY_EXHAUSTED`.
    package static let keyExhausted = Self(rawValue: 0x203)
    /// `CKR_PENDING`.
    package static let pending = Self(rawValue: 0x204)
    /// `CKR_SESSION_ASYNC_NOT_SUPPORTED`.
    package static let sessionAsyncNotSupported = Self(rawValue: 0x205)
    /// `CKR_SEED_RANDOM_REQUIRED`.
    package static let seedRandomRequired = Self(rawValue: 0x206)
    /// `CKR_OPERATION_NOT_VALIDATED`.
    package static let operationNotValidated = Self(rawValue: 0x207)
    /// `CKR_TOKEN_NOT_INITIALIZED`.
    package static let tokenNotInitialized = Self(rawValue: 0x208)
    /// `CKR_PARAMETER_SET_NOT_SUPPORTED`.
    package static let parameterSetNotSupported = Self(rawValue: 0x209)

    /// C names by value.
    static let names: [UInt: String] = [
        0x0: "CKR_OK",
        0x1: "CKR_CANCEL",
        0x2: "CKR_HOST_MEMORY",
        0x3: "CKR_SLOT_ID_INVALID",
        0x5: "CKR_GENERAL_ERROR",
        0x6: "CKR_FUNCTION_FAILED",
        0x7: "CKR_ARGUMENTS_BAD",
        0x8: "CKR_NO_EVENT",
        0x9: "CKR_NEED_TO_CREATE_THREADS",
        0xA: "CKR_CANT_LOCK",
        0x10: "CKR_ATTRIBUTE_READ_ONLY",
        0x11: "CKR_ATTRIBUTE_SENSITIVE",
        0x12: "CKR_ATTRIBUTE_TYPE_INVALID",
        0x13: "CKR_ATTRIBUTE_VALUE_INVALID",
        0x1B: "CKR_ACTION_PROHIBITED",
        0x20: "CKR_DATA_INVALID",
        0x21: "CKR_DATA_LEN_RANGE",
        0x30: "CKR_DEVICE_ERROR",
        0x31: "CKR_DEVICE_MEMORY",
        0x32: "CKR_DEVICE_REMOVED",
        0x40: "CKR_ENCRYPTED_DATA_INVALID",
        0x41: "CKR_ENCRYPTED_DATA_LEN_RANGE",
        0x42: "CKR_AEAD_DECRYPT_FAILED",
        0x50: "CKR_FUNCTION_CANCELED",
        0x51: "CKR_FUNCTION_NOT_PARALLEL",
        0x54: "CKR_FUNCTION_NOT_SUPPORTED",
        0x60: "CKR_KEY_HANDLE_INVALID",
        0x62: "CKR_KEY_SIZE_RANGE",
        0x63: "CKR_KEY_TYPE_INCONSISTENT",
        0x64: "CKR_KEY_NOT_NEEDED",
        0x65: "CKR_KEY_CHANGED",
        0x66: "CKR_KEY_NEEDED",
        0x67: "CKR_KEY_INDIGESTIBLE",
        0x68: "CKR_KEY_FUNCTION_NOT_PERMITTED",
        0x69: "CKR_KEY_NOT_WRAPPABLE",
        0x6A: "CKR_KEY_UNEXTRACTABLE",
        0x70: "CKR_MECHANISM_INVALID",
        0x71: "CKR_MECHANISM_PARAM_INVALID",
        0x82: "CKR_OBJECT_HANDLE_INVALID",
        0x90: "CKR_OPERATION_ACTIVE",
        0x91: "CKR_OPERATION_NOT_INITIALIZED",
        0xA0: "CKR_PIN_INCORRECT",
        0xA1: "CKR_PIN_INVALID",
        0xA2: "CKR_PIN_LEN_RANGE",
        0xA3: "CKR_PIN_EXPIRED",
        0xA4: "CKR_PIN_LOCKED",
        0xB0: "CKR_SESSION_CLOSED",
        0xB1: "CKR_SESSION_COUNT",
        0xB3: "CKR_SESSION_HANDLE_INVALID",
        0xB4: "CKR_SESSION_PARALLEL_NOT_SUPPORTED",
        0xB5: "CKR_SESSION_READ_ONLY",
        0xB6: "CKR_SESSION_EXISTS",
        0xB7: "CKR_SESSION_READ_ONLY_EXISTS",
        0xB8: "CKR_SESSION_READ_WRITE_SO_EXISTS",
        0xC0: "CKR_SIGNATURE_INVALID",
        0xC1: "CKR_SIGNATURE_LEN_RANGE",
        0xD0: "CKR_TEMPLATE_INCOMPLETE",
        0xD1: "CKR_TEMPLATE_INCONSISTENT",
        0xE0: "CKR_TOKEN_NOT_PRESENT",
        0xE1: "CKR_TOKEN_NOT_RECOGNIZED",
        0xE2: "CKR_TOKEN_WRITE_PROTECTED",
        0xF0: "CKR_UNWRAPPING_KEY_HANDLE_INVALID",
        0xF1: "CKR_UNWRAPPING_KEY_SIZE_RANGE",
        0xF2: "CKR_UNWRAPPING_KEY_TYPE_INCONSISTENT",
        0x100: "CKR_USER_ALREADY_LOGGED_IN",
        0x101: "CKR_USER_NOT_LOGGED_IN",
        0x102: "CKR_USER_PIN_NOT_INITIALIZED",
        0x103: "CKR_USER_TYPE_INVALID",
        0x104: "CKR_USER_ANOTHER_ALREADY_LOGGED_IN",
        0x105: "CKR_USER_TOO_MANY_TYPES",
        0x110: "CKR_WRAPPED_KEY_INVALID",
        0x112: "CKR_WRAPPED_KEY_LEN_RANGE",
        0x113: "CKR_WRAPPING_KEY_HANDLE_INVALID",
        0x114: "CKR_WRAPPING_KEY_SIZE_RANGE",
        0x115: "CKR_WRAPPING_KEY_TYPE_INCONSISTENT",
        0x120: "CKR_RANDOM_SEED_NOT_SUPPORTED",
        0x121: "CKR_RANDOM_NO_RNG",
        0x130: "CKR_DOMAIN_PARAMS_INVALID",
        0x140: "CKR_CURVE_NOT_SUPPORTED",
        0x150: "CKR_BUFFER_TOO_SMALL",
        0x160: "CKR_SAVED_STATE_INVALID",
        0x170: "CKR_INFORMATION_SENSITIVE",
        0x180: "CKR_STATE_UNSAVEABLE",
        0x190: "CKR_CRYPTOKI_NOT_INITIALIZED",
        0x191: "CKR_CRYPTOKI_ALREADY_INITIALIZED",
        0x1A0: "CKR_MUTEX_BAD",
        0x1A1: "CKR_MUTEX_NOT_LOCKED",
        0x1B0: "CKR_NEW_PIN_MODE",
        0x1B1: "CKR_NEXT_OTP",
        0x1C0: "CKR_EXCEEDED_MAX_ITERATIONS",
        0x1C1: "CKR_FIPS_SELF_TEST_FAILED",
        0x1C2: "CKR_LIBRARY_LOAD_FAILED",
        0x1C3: "CKR_PIN_TOO_WEAK",
        0x1C4: "CKR_PUBLIC_KEY_INVALID",
        0x200: "CKR_FUNCTION_REJECTED",
        0x201: "CKR_TOKEN_RESOURCE_EXCEEDED",
        0x202: "CKR_OPERATION_CANCEL_FAILED",
        0x203: "CKR_KEY_EXHAUSTED",
        0x204: "CKR_PENDING",
        0x205: "CKR_SESSION_ASYNC_NOT_SUPPORTED",
        0x206: "CKR_SEED_RANDOM_REQUIRED",
        0x207: "CKR_OPERATION_NOT_VALIDATED",
        0x208: "CKR_TOKEN_NOT_INITIALIZED",
        0x209: "CKR_PARAMETER_SET_NOT_SUPPORTED",
    ]
}
