// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPKCS11

extension KeychainError {
    /// The error of an unblocking: what the token says of the PIN in `C_Login` is about the security officer's.
    init(unblocking error: PKCS11Error, token: Token) {
        let told = KeychainError(error, .unblock)
        let changed: (code: Code, remedy: Remedy?)? =
            switch error.fault {
            case .pinNotTried(.locked): (.soPINLocked, .remakeToken)
            case .pinNotTried(.finalTry): (.soPINFinalTry, .giveFinalTry)
            case .returned(_, .functionCanceled): (.canceled, nil)
            case .returned("C_Login", let value): Self.meaning(ofLogin: value, token)
            default: nil
            }
        self.init(
            changed?.code ?? told.code, .unblock, subject: told.subject ?? .token(token.identity), cause: told.cause,
            remedy: changed.map { $0.remedy } ?? told.remedy)
    }

    private static func meaning(ofLogin value: ReturnValue, _ token: Token) -> (Code, Remedy?)? {
        switch value {
        case .pinIncorrect:
            // Only to tell more: if the token cannot be asked, the number of tries is unknown.
            let tries = (try? token.info().soTriesLeft) ?? .unknown
            return (.soPINIncorrect, tries == .none ? .remakeToken : .enterCorrectPIN(triesLeft: tries))
        case .pinLocked: return (.soPINLocked, .remakeToken)
        // Another keychain of this process has a session on the token.
        case .sessionReadOnlyExists: return (.notAvailable, .tryAgain)
        // Such a token has no security officer once a PIN is set (NSS).
        case .userTypeInvalid: return (.unimplemented, nil)
        default: return nil
        }
    }
}
