// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

/// The decisions about a login: what may be asked of the token, and what its answer means.
///
/// Knows no token.
///
/// One PIN that a person gave makes at most one `C_Login`; nothing is ever tried again by itself.
enum LoginState: Hashable, Sendable {
    /// Logged out, as far as we know: others in the process may log in and out too.
    case loggedOut
    /// Logged in, as far as we know.
    case loggedIn
    /// A PIN was refused and no good one was seen since.
    case refused
    /// The token said that the PIN is locked.
    case locked

    /// What the caller of `answered` is to do.
    enum Outcome: Hashable, Sendable {
        /// The login holds.
        case loggedIn
        /// Someone in the process was logged in already: ask the token who (`C_GetSessionInfo`).
        case askWho
        /// Tell the caller what the token said.
        case fail
    }

    /// Whose PIN it is.
    enum User: Hashable, Sendable {
        case user
        case securityOfficer
    }

    /// Whether a PIN may go to the token.
    ///
    /// - Parameters:
    ///   - user: whose PIN it is.
    ///   - info: fresh from the token.
    ///   - length: bytes of the PIN.
    ///   - finalTry: whether the caller agrees to spend the last try.
    /// - Returns: nil if it may.
    static func refusal(
        _ user: User, _ info: TokenInfo, length: Int, finalTry: Bool
    ) -> PKCS11Error.PINRefusal? {
        guard info.takesPIN(ofLength: length) else {
            return .length(minimum: info.minPINLength, maximum: info.maxPINLength)
        }
        switch user == .user ? info.triesLeft : info.soTriesLeft {
        case .none: return .locked
        case .one: return finalTry ? nil : .finalTry
        case .few, .unknown: return nil
        }
    }

    /// `C_Login` returned `value`.
    mutating func answered(_ value: ReturnValue) -> Outcome {
        switch value.kind {
        case .success:
            self = .loggedIn
            return .loggedIn
        case .alreadyLoggedIn:
            return .askWho
        case .pinIncorrect:
            self = .refused
            return .fail
        case .pinLocked:
            self = .locked
            return .fail
        case .sessionLost, .tokenGone:
            self = .loggedOut
            return .fail
        case .pinUnsuitable, .pinExpired, .pinNotSet, .notLoggedIn, .objectGone, .dataInvalid, .notSupported,
            .readOnly, .exhausted, .programError, .tokenFailed:
            return .fail
        }
    }

    /// `C_GetSessionInfo` said whether the user is logged in.
    mutating func observed(isLoggedIn: Bool) {
        if isLoggedIn {
            self = .loggedIn
        } else if self == .loggedIn {
            self = .loggedOut
        }
    }

    /// `C_Logout` returned `value`.
    ///
    /// - Returns: whether the token is logged out.
    mutating func loggedOut(_ value: ReturnValue) -> Bool {
        switch value.kind {
        case .success, .notLoggedIn, .sessionLost, .tokenGone:
            self = .loggedOut
            return true
        case .pinIncorrect, .pinLocked, .pinUnsuitable, .pinExpired, .pinNotSet, .alreadyLoggedIn, .objectGone,
            .dataInvalid, .notSupported, .readOnly, .exhausted, .programError, .tokenFailed:
            return false
        }
    }
}
