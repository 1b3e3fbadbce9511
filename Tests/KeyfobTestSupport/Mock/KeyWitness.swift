// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobPKCS11

/// What a token lets somebody do with the class keys of a keychain, tried beside the keychain and by way of the same module:
/// what anything else in its process has.
///
/// Looks at the token alone: whatever the keychain thinks of its state does not count.
package struct KeyWitness: Sendable {
    private let mock: MockToken
    private let keychain: String
    /// Handles with which the token has decrypted, by class.
    private var known: [String: [ObjectHandle]] = [:]

    /// - Parameter keychain: the UUID that the labels of the keys have.
    package init(_ mock: MockToken, keychain: String) {
        self.mock = mock
        self.keychain = keychain
    }

    /// Keeps the handles of every key of the classes that decrypts now.
    package mutating func remember(_ codes: [String], generation: Int = 1) throws {
        for code in codes {
            known[code] = try withToken { (token) throws(PKCS11Error) in
                var usable: [ObjectHandle] = []
                for handle in try Self.find(label(code, generation), on: token) {
                    if try Self.accepts(handle, on: token) { usable.append(handle) }
                }
                return usable
            }
        }
    }

    /// How many handles of the class were kept.
    package func remembered(_ code: String) -> Int { known[code]?.count ?? 0 }

    /// Whether a search for the key of a class finds one with which the token begins to decrypt.
    package func findsUsableKey(_ code: String, generation: Int = 1) throws -> Bool {
        try withToken { (token) throws(PKCS11Error) in
            for handle in try Self.find(label(code, generation), on: token) {
                if try Self.accepts(handle, on: token) { return true }
            }
            return false
        } ?? false
    }

    /// Whether the token begins to decrypt with one of the handles that were kept.
    package func acceptsOldHandle(_ code: String) throws -> Bool {
        try withToken { (token) throws(PKCS11Error) in
            for handle in known[code] ?? [] {
                if try Self.accepts(handle, on: token) { return true }
            }
            return false
        } ?? false
    }

    private func label(_ code: String, _ generation: Int) -> String { "keyfob/\(keychain)/\(code)/\(generation)" }

    /// Runs `body` on the token; nil if there is none.
    private func withToken<R>(_ body: (Token) throws(PKCS11Error) -> R) throws -> R? {
        let token: Token
        do { token = try mock.open() } catch let error as PKCS11Error {
            guard case .tokenNotFound = error.fault else { throw error }
            return nil
        }
        return try body(token)
    }

    /// Every secret key of the label, on the token and in sessions.
    private static func find(_ label: String, on token: Token) throws(PKCS11Error) -> [ObjectHandle] {
        var template = Template()
        template.set(ObjectClass.secretKey)
        template.set(.label, label)
        return try token.withSession { (session) throws(PKCS11Error) in try session.find(template, limit: 50) }
    }

    /// Whether the token begins to decrypt with the object; what it is given is no ciphertext of the key.
    private static func accepts(_ handle: ObjectHandle, on token: Token) throws(PKCS11Error) -> Bool {
        let (iv, data) = ([UInt8](repeating: 0, count: 12), [UInt8](repeating: 0, count: 48))
        do throws(PKCS11Error) {
            _ = try token.withSession { (session) throws(PKCS11Error) in
                unsafe try session.openGCM(
                    key: handle, iv: iv.span.bytes, aad: [UInt8]().span.bytes, ciphertext: data.span.bytes)
            }
            return true
        } catch {
            switch error.function {
            case "C_DecryptInit": return false
            case "C_Decrypt": return true
            default: throw error
            }
        }
    }
}
