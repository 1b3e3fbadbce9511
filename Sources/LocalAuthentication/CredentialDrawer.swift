// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory

/// At most one credential of each type, in locked memory; wiped when it is replaced, taken out or the drawer goes.
struct CredentialDrawer: ~Copyable {
    private var applicationPassword: SecretBytes?
    private var smartCardPIN: SecretBytes?

    /// Puts a credential in, or takes one out with nil.
    mutating func put(_ credential: consuming SecretBytes?, _ type: LACredentialType) {
        switch type {
        case .applicationPassword: applicationPassword = credential
        case .smartCardPIN: smartCardPIN = credential
        }
    }

    /// Whether there is one of that type.
    func has(_ type: LACredentialType) -> Bool {
        switch type {
        case .applicationPassword: applicationPassword != nil
        case .smartCardPIN: smartCardPIN != nil
        }
    }

    /// A second owner of the credential, or nil if there is none.
    ///
    /// - Throws: `SecretMemoryError` if there is no locked memory for it.
    func copy(_ type: LACredentialType) throws(SecretMemoryError) -> SecretBytes? {
        switch type {
        case .applicationPassword: try applicationPassword?.copy()
        case .smartCardPIN: try smartCardPIN?.copy()
        }
    }
}
