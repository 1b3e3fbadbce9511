// SPDX-License-Identifier: Apache-2.0

extension ReturnValue {
    /// What a return value asks its caller to do: few enough to be switched over without a default.
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// `CKR_OK`.
        case success
        /// The PIN was checked and refused: one try is gone, never repeat it.
        case pinIncorrect
        /// No try is left.
        case pinLocked
        /// The token did not accept the PIN's length or characters.
        case pinUnsuitable
        case pinExpired
        /// The token has no user PIN yet.
        case pinNotSet
        /// A key or an operation needs a login that is not there.
        case notLoggedIn
        /// A login is there already, of the same user or of another.
        case alreadyLoggedIn
        /// The session is gone, or the whole module was finalised: open a new one and search again.
        case sessionLost
        /// The token is not there any more.
        case tokenGone
        /// An object handle does not name an object (any more).
        case objectGone
        /// A ciphertext, a wrapped key or a signature is damaged or belongs elsewhere.
        case dataInvalid
        /// The mechanism, its parameter, an attribute or the function is not for this token or key.
        case notSupported
        /// The token takes no writes.
        case readOnly
        /// The token or the host is out of memory, sessions or another resource.
        case exhausted
        /// Only a fault of ours can have caused it.
        case programError
        /// The token failed in a way that says nothing (or nothing that is known).
        case tokenFailed
    }

    /// What the value asks its caller to do.
    package var kind: Kind {
        switch self {
        case .ok: .success
        case .pinIncorrect: .pinIncorrect
        case .pinLocked: .pinLocked
        case .pinInvalid, .pinLenRange, .pinTooWeak: .pinUnsuitable
        case .pinExpired: .pinExpired
        case .userPINNotInitialized: .pinNotSet
        case .userNotLoggedIn: .notLoggedIn
        case .userAlreadyLoggedIn, .userAnotherAlreadyLoggedIn, .userTooManyTypes: .alreadyLoggedIn
        case .sessionHandleInvalid, .sessionClosed, .cryptokiNotInitialized: .sessionLost
        case .deviceRemoved, .tokenNotPresent, .tokenNotRecognized, .slotIDInvalid: .tokenGone
        case .objectHandleInvalid, .keyHandleInvalid, .wrappingKeyHandleInvalid, .unwrappingKeyHandleInvalid:
            .objectGone
        case .encryptedDataInvalid, .encryptedDataLenRange, .aeadDecryptFailed, .dataInvalid, .dataLenRange,
            .wrappedKeyInvalid, .wrappedKeyLenRange, .signatureInvalid, .signatureLenRange:
            .dataInvalid
        case .mechanismInvalid, .mechanismParamInvalid, .functionNotSupported, .attributeTypeInvalid,
            .attributeValueInvalid, .attributeReadOnly, .attributeSensitive, .templateInconsistent,
            .templateIncomplete, .keyTypeInconsistent, .keySizeRange, .keyFunctionNotPermitted, .keyNotWrappable,
            .keyUnextractable, .actionProhibited, .wrappingKeyTypeInconsistent, .unwrappingKeyTypeInconsistent,
            .wrappingKeySizeRange, .unwrappingKeySizeRange, .curveNotSupported, .domainParamsInvalid,
            .userTypeInvalid, .randomNoRNG:
            .notSupported
        case .tokenWriteProtected, .sessionReadOnly, .sessionReadOnlyExists: .readOnly
        case .hostMemory, .deviceMemory, .sessionCount, .tokenResourceExceeded: .exhausted
        case .argumentsBad, .operationActive, .operationNotInitialized, .bufferTooSmall,
            .cryptokiAlreadyInitialized, .sessionParallelNotSupported:
            .programError
        default: .tokenFailed
        }
    }

    /// Whether a session on which a function returned this is as good as before.
    ///
    /// Everything else may have left an operation armed or a broken state, so the session is closed and replaced.
    /// The list is short on purpose: these are answers about the request, given before any operation began.
    package var leavesSessionClean: Bool {
        switch kind {
        case .success, .pinIncorrect, .pinLocked, .pinUnsuitable, .pinExpired, .pinNotSet, .notLoggedIn,
            .alreadyLoggedIn, .objectGone, .notSupported, .readOnly:
            true
        case .sessionLost, .tokenGone, .dataInvalid, .exhausted, .programError, .tokenFailed:
            false
        }
    }

    /// Whether all sessions of the token are as dead as the one that returned this.
    package var endsAllSessions: Bool {
        switch kind {
        case .sessionLost, .tokenGone: true
        case .success, .pinIncorrect, .pinLocked, .pinUnsuitable, .pinExpired, .pinNotSet, .notLoggedIn,
            .alreadyLoggedIn, .objectGone, .dataInvalid, .notSupported, .readOnly, .exhausted, .programError,
            .tokenFailed:
            self == .deviceError
        }
    }
}
