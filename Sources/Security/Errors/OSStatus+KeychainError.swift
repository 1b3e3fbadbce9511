// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

extension OSStatus {
    /// The status code that a caller of SecItem sees for an error; the one place where one becomes the other.
    ///
    /// What no status of Apple's fits (a token that is missing, a store that another process owns) is
    /// `errSecNotAvailable`; the log has the rest. A code that this build does not know is a fault of ours.
    package init(_ error: KeychainError) {
        self =
            switch error.code {
            case .invalidParameter: errSecParam
            case .noSuchAttribute: errSecNoSuchAttr
            case .noSuchClass: errSecNoSuchClass
            case .duplicateItem: errSecDuplicateItem
            case .itemNotFound, .itemDamaged: errSecItemNotFound
            case .missingEntitlement: errSecMissingEntitlement
            case .unimplemented: errSecUnimplemented
            case .interactionNotAllowed, .pinNotGiven, .presenceRequired, .applicationPasswordRequired:
                errSecInteractionNotAllowed
            case .pinIncorrect, .pinLocked, .pinFinalTry, .pinLength, .pinExpired, .soPINIncorrect,
                .soPINLocked, .soPINFinalTry, .pinUnsuitable, .applicationPasswordIncorrect:
                errSecAuthFailed
            case .canceled: errSecUserCanceled
            case .notAvailable, .tokenNotFound, .tokenAmbiguous, .moduleNotLoadable, .wrongToken, .notProvisioned,
                .pinNotSet, .residenceRefused, .keyExhausted, .storeDamaged, .storeTooNew, .keychainInUse,
                .keychainNotFound, .permissions, .configurationInvalid, .timedOut, .busy, .daemonNotAnswering,
                .protocolMismatch, .notOwner:
                errSecNotAvailable
            case .keychainExists: errSecDuplicateKeychain
            case .diskFull: errSecDiskFull
            case .inputOutput: errSecIO
            case .readOnly: errSecReadOnly
            case .outOfMemory, .memoryNotLocked: errSecAllocate
            case .tokenFailed, .internalError, .messageMalformed: errSecInternal
            default: errSecInternal
            }
    }
}
