// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobWords

extension CommandContext {
    /// `keyfob init`: makes a keychain.
    func initialize() throws(Failure) {
        let keychain = try failing { () throws(KeychainError) in
            let folder = try access.folder(invocation[.home])
            guard try !access.exists(in: folder) else {
                // Before anybody types a PIN for nothing.
                throw KeychainError(.keychainExists, .create, subject: .path(folder))
            }
            return try create(folder)
        }
        defer { keychain.close() }
        let report = try failing { () throws(KeychainError) in try keychain.status() }
        try show(report)
    }

    private func create(_ folder: String) throws(KeychainError) -> any OpenKeychain {
        let token = invocation[.token]
        let pin = try pin(for: token)
        var securityOfficerPIN: SecretBytes?
        if let source = invocation[.soPINSource] { securityOfficerPIN = try secrets.newPIN(explicit: source) }
        let talks = console.errorIsTerminal
        return try access.create(
            folder, token: token, pin: pin, securityOfficerPIN: securityOfficerPIN,
            progress: { step in if talks { console.talk(step) } })
    }

    /// The PIN for the token's login; nil: a person enters it on the token's device, and was told so.
    private func pin(for token: String?) throws(KeychainError) -> SecretBytes? {
        let explicit = invocation[.pinSource]
        guard let token else { return try secrets.newPIN(explicit: explicit) }
        if explicit == nil, let identity = try access.tokenWithPINPad(token) {
            console.talk("enter the PIN on the device of \(identity.words)")
            return nil
        }
        return try secrets.pin(explicit: explicit, of: nil)
    }
}
