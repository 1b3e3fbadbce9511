// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
package import KeyfobMemory
package import KeyfobModel
internal import KeyfobPKCS11

/// Initialises an empty slot of a module as a token with a user PIN (C_InitToken, C_InitPIN).
package enum TokenMaker {
    /// Makes the token and returns its URI, module path included.
    ///
    /// - Parameter soPIN: the security officer's PIN; nil draws a random one that nobody learns.
    /// - Throws: `.moduleNotLoadable`, `.pinLength`, `.tokenFailed`; `.notAvailable` if the module has no empty slot.
    package static func make(
        modulePath: String, label: String, pin: borrowing SecretBytes, soPIN: borrowing SecretBytes?
    ) throws(KeychainError) -> String {
        switch soPIN {
        case .some(let soPIN):
            return try make(modulePath, label, pin, officer: soPIN)
        case .none:
            return try make(modulePath, label, pin, officer: randomPIN())
        }
    }

    private static func make(
        _ modulePath: String, _ label: String, _ pin: borrowing SecretBytes, officer soPIN: borrowing SecretBytes
    ) throws(KeychainError) -> String {
        do {
            let module = try Module.load(path: modulePath)
            guard let slot = try module.emptySlots().first else {
                throw KeychainError(.notAvailable, .create, subject: .path(modulePath), remedy: .initializeToken)
            }
            let token = try module.initializeToken(in: slot, label: label, soPIN: soPIN)
            try token.initializePIN(pin, soPIN: soPIN)
            return token.uri.string
        } catch let error as PKCS11Error {
            throw KeychainError(error, .create)
        } catch let error as KeychainError {
            throw error
        } catch {
            throw KeychainError(.internalError, .create)
        }
    }

    /// 32 hexadecimal digits: 128 random bits in characters that every token takes.
    private static func randomPIN() throws(KeychainError) -> SecretBytes {
        do {
            let random = try RandomBytes.secret(16)
            var pin = try SecretBytes(count: 32)
            unsafe pin.withUnsafeMutableBytes { pin in
                unsafe random.withUnsafeBytes { random in
                    for index in 0..<pin.count {
                        let nibble = unsafe random[index / 2] >> UInt8(index % 2 * 4) & 15
                        unsafe pin[index] = nibble < 10 ? 48 + nibble : 87 + nibble
                    }
                }
            }
            return pin
        } catch let error as LibcryptoError {
            throw KeychainError(error, .create)
        } catch let error as SecretMemoryError {
            throw KeychainError(error, .create)
        } catch {
            throw KeychainError(.internalError, .create)
        }
    }
}
