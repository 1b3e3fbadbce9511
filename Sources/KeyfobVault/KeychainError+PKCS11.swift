// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
package import KeyfobPKCS11

extension KeychainError {
    /// The error of a token call as a keychain tells it.
    package init(_ error: PKCS11Error, _ operation: Operation) {
        let token = error.token.map(Subject.token)
        switch error.fault {
        case .returned(let function, let value):
            let (code, remedy) = Self.meaning(of: value.kind)
            let cause = Cause.pkcs11(function: function, returnValue: value.rawValue)
            self.init(code, operation, subject: token, cause: cause, remedy: remedy)
        case .tokenNotFound(let uri, let failedModules):
            let cause =
                failedModules.isEmpty
                ? nil : Cause.format(place: failedModules.joined(separator: ", "), fault: "could not be asked")
            self.init(.tokenNotFound, operation, subject: .tokenURI(uri), cause: cause, remedy: .insertToken)
        case .ambiguous(let candidates):
            let names = candidates.map { "\($0.label) (serial \($0.serial))" }.joined(separator: ", ")
            self.init(
                .tokenAmbiguous, operation, cause: .format(place: "token URI", fault: "fits \(names)"),
                remedy: .nameOneToken)
        case .replaced(let other):
            self.init(
                .wrongToken, operation, subject: .token(other),
                cause: .format(place: "slot", fault: "holds another token than before"), remedy: .insertToken)
        case .moduleNotLoadable(let path, let message):
            self.init(
                .moduleNotLoadable, operation, subject: .path(path), cause: .format(place: path, fault: message),
                remedy: .installModule)
        case .moduleNotRegistered(let name):
            self.init(
                .moduleNotLoadable, operation, subject: .parameter("module-name"),
                cause: .format(place: name, fault: "is not registered with p11-kit"), remedy: .installModule)
        case .moduleParametersRefused(let path, let value):
            self.init(
                .moduleNotLoadable, operation, subject: .path(path),
                cause: .pkcs11(function: "C_Initialize with module-parameters", returnValue: value.rawValue),
                remedy: .fixConfiguration)
        case .moduleInUse(let path):
            self.init(
                .moduleNotLoadable, operation, subject: .path(path),
                cause: .format(place: path, fault: "is in use in this process with other module-parameters"),
                remedy: .fixConfiguration)
        case .isolationUnavailable(let why):
            self.init(
                .moduleNotLoadable, operation, cause: .format(place: "isolation", fault: why),
                remedy: .fixConfiguration)
        case .isolatedModuleFailed(let path, let value):
            self.init(
                .moduleNotLoadable, operation, subject: .path(path),
                cause: .pkcs11(function: "C_Initialize in a process of its own", returnValue: value.rawValue),
                remedy: .fixConfiguration)
        case .invalidURI(let fault):
            self.init(
                .configurationInvalid, operation, subject: .parameter("token"),
                cause: .format(place: "token URI", fault: Self.words(fault)), remedy: .fixConfiguration)
        case .reserved:
            self.init(
                .notAvailable, operation, subject: token,
                cause: .format(place: "token", fault: "its security officer is at work"), remedy: .tryAgain)
        case .pinNotTried(.zeroByte):
            self.init(
                .pinUnsuitable, operation, subject: token, cause: .format(place: "PIN", fault: "contains a NUL"),
                remedy: .choosePIN)
        case .pinNotTried(.length(let minimum, let maximum)):
            self.init(
                .pinLength, operation, subject: token, remedy: .choosePINLength(minimum: minimum, maximum: maximum))
        case .pinNotTried(.locked):
            self.init(.pinLocked, operation, subject: token, remedy: .unblockWithSO)
        case .pinNotTried(.finalTry):
            self.init(.pinFinalTry, operation, subject: token, remedy: .giveFinalTry)
        case .memory(let memory):
            self.init(memory, operation)
        case .timedOut:
            self.init(.timedOut, operation, subject: token)
        case .malformed(let what):
            self.init(.tokenFailed, operation, subject: token, cause: .format(place: "token", fault: what))
        }
    }

    /// The error of a call with the user PIN: a refused one comes with what the token says about the tries that are left.
    init(login error: PKCS11Error, token: Token, _ operation: Operation = .unlock) {
        guard error.returnValue?.kind == .pinIncorrect else {
            let told = KeychainError(error, operation)
            // The person at the device would not.
            let isCanceled = error.returnValue == .functionCanceled
            self.init(
                isCanceled ? .canceled : told.code, operation, subject: told.subject, cause: told.cause,
                remedy: told.remedy)
            return
        }
        // Only to tell more: if the token cannot be asked, the number of tries is unknown.
        let tries = (try? token.info().triesLeft) ?? .unknown
        let cause = KeychainError(error, operation).cause
        self.init(
            .pinIncorrect, operation, subject: .token(token.identity), cause: cause,
            remedy: tries == .none ? .unblockWithSO : .enterCorrectPIN(triesLeft: tries))
    }

    private static func meaning(of kind: ReturnValue.Kind) -> (Code, Remedy?) {
        switch kind {
        case .pinIncorrect: (.pinIncorrect, .enterCorrectPIN(triesLeft: .unknown))
        case .pinLocked: (.pinLocked, .unblockWithSO)
        case .pinUnsuitable: (.pinUnsuitable, .choosePIN)
        case .pinExpired: (.pinExpired, .changePIN)
        case .pinNotSet: (.pinNotSet, .initializeToken)
        case .notLoggedIn: (.interactionNotAllowed, .unlock)
        case .sessionLost, .tokenGone: (.notAvailable, .insertToken)
        case .objectGone: (.notAvailable, .insertToken)
        case .readOnly: (.readOnly, nil)
        case .notSupported: (.unimplemented, nil)
        case .success, .alreadyLoggedIn, .dataInvalid, .exhausted, .programError, .tokenFailed: (.tokenFailed, nil)
        }
    }

    private static func words(_ fault: PKCS11Error.URIFault) -> String {
        switch fault {
        case .scheme: "does not begin with pkcs11:"
        case .encoding: "has a wrong percent encoding"
        case .syntax: "is malformed"
        case .version: "has a malformed version"
        case .unknownAttribute: "has an attribute that RFC 7512 does not define"
        case .slotAttribute: "names a slot: slots are renumbered, name the token by token= and serial="
        case .notText: "contains a NUL"
        case .noModulePath: "names no module-path, which module-parameters and isolation need"
        }
    }
}

extension PKCS11Error {
    /// Whether the token looked at wrapped key bytes and refused them, or failed in the way that modules also use to
    /// refuse.
    var isRejectedWrap: Bool {
        guard function == "C_UnwrapKey", let value = returnValue else { return false }
        return value.kind == .dataInvalid || value == .generalError || value == .functionFailed
    }

    /// Whether the module refused the parameters of a seal, as those do that insist on an IV of their own.
    var isRefusedParameter: Bool {
        guard function == "C_EncryptInit" || function == "C_Encrypt", let value = returnValue else { return false }
        return value == .mechanismParamInvalid || value == .argumentsBad || value == .dataInvalid
    }

    /// Whether the token looked at a ciphertext and refused it, or failed in the way that modules also use to refuse.
    var isRejectedCiphertext: Bool {
        guard function == "C_Decrypt", let value = returnValue else { return false }
        return value.kind == .dataInvalid || value == .generalError || value == .functionFailed
    }
}
