// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

struct EmbeddedAccess: KeychainAccess {
    func folder(_ home: String?) throws(KeychainError) -> String { throw KeychainError(.unimplemented, .open) }
    func exists(in folder: String) -> Bool { false }
    func open(_ folder: String) throws(KeychainError) -> any OpenKeychain { throw KeychainError(.unimplemented, .open) }
    func create(
        _ folder: String, token: String?, pin: borrowing SecretBytes, securityOfficerPIN: consuming SecretBytes?,
        progress: (String) -> Void
    ) throws(KeychainError) -> any OpenKeychain { throw KeychainError(.unimplemented, .open) }
}

struct PlatformSecrets: SecretInput {
    func pin(explicit: String?, configured: String?, token: TokenIdentity?) throws(KeychainError) -> SecretBytes {
        throw KeychainError(.unimplemented, .open)
    }
    func newPIN(explicit: String?) throws(KeychainError) -> SecretBytes { throw KeychainError(.unimplemented, .open) }
    func value(prompt: String) throws(KeychainError) -> SecretBytes { throw KeychainError(.unimplemented, .open) }
}
