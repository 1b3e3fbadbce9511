// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
internal import Synchronization

extension Token {
    /// Decrypts with a key that asks for the PIN before each use (`CKA_ALWAYS_AUTHENTICATE`, PKCS #11 v3.1 §5.6.8), on a
    /// session of the pool.
    ///
    /// The PIN reaches the token once, and not at all if it cannot be right or one try is left: that one is for who
    /// unlocks and agrees to spend it. A refusal ends the operation; nothing is tried again.
    ///
    /// - Parameter pin: nil: the token asks for it itself (`CKF_PROTECTED_AUTHENTICATION_PATH`).
    /// - Throws: `.pinNotTried` if it was not sent, what `C_Login` returned for the PIN, what the others returned.
    package func decryptAuthenticated(
        _ mechanism: Mechanism, key: ObjectHandle, _ ciphertext: RawSpan, pin: borrowing SecretBytes?
    ) throws(PKCS11Error) -> SecretBytes {
        let length: Int? =
            switch pin {
            case .some(let pin): try PINNormalForm.with(pin, on: line) { (pin) throws(PKCS11Error) in pin.count }
            case .none: nil
            }
        // The session comes after the turn: who waits for a turn must not keep a session from the others.
        return try pinTurn.withLock { (_) throws(PKCS11Error) in
            try requireTriable(length: length, try info(), finalTry: false)
            return try withSession { (session) throws(PKCS11Error) in
                switch pin {
                case .some(let pin): try session.decrypt(mechanism, key: key, ciphertext, pin: pin)
                case .none: try session.decryptProtected(mechanism, key: key, ciphertext)
                }
            }
        }
    }
}
