// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory

extension Token {
    /// Which shape of `CK_GCM_PARAMS` the module reads, found by doing: seals and opens a few bytes with `key`.
    ///
    /// The result is not taken over; `setGCMVariant` does that.
    ///
    /// - Parameter key: an AES key for encryption and decryption, usable now.
    /// - Returns: nil if AES-GCM works with neither.
    /// - Throws: what `C_OpenSession` returned, or a loss of the token on the way.
    package func probeGCMVariant(_ key: ObjectHandle) throws(PKCS11Error) -> GCMVariant? {
        for variant in GCMVariant.allCases {
            do throws(PKCS11Error) {
                // A session a try: a refusal may leave something armed.
                if try withSession({ (session) throws(PKCS11Error) in try session.seals(variant, key) }) {
                    return variant
                }
            } catch {
                if let value = error.returnValue, value.endsAllSessions || value == .sessionCount { throw error }
                // Refused: the other shape is tried.
            }
        }
        return nil
    }
}

extension Session {
    /// Whether a sealed text opens with its associated data, and does not with other data.
    fileprivate func seals(_ variant: GCMVariant, _ key: ObjectHandle) throws(PKCS11Error) -> Bool {
        let iv = try generateRandom(12)
        let text: [UInt8] = [1, 2, 3, 4, 5]
        let mechanism = Mechanism.aesGCM(iv: iv, aad: [1], variant: variant)
        let sealed = unsafe try encrypt(mechanism, key: key, text.span.bytes)
        guard sealed.count == text.count + 16 else { return false }
        let opened = unsafe try decrypt(mechanism, key: key, sealed.span.bytes)
        guard opened.withBytes({ span in unsafe span.withUnsafeBytes { unsafe $0.elementsEqual(text) } }) else {
            return false
        }
        do throws(PKCS11Error) {
            _ = unsafe try decrypt(.aesGCM(iv: iv, aad: [2], variant: variant), key: key, sealed.span.bytes)
            return false
        } catch {
            // A token that is gone has judged nothing.
            if let value = error.returnValue, value.endsAllSessions { throw error }
            // As it must be: a module that overlooks the data reads the other shape.
            return true
        }
    }
}
