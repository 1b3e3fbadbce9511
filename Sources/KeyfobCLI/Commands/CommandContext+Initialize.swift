// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobWords

extension CommandContext {
    /// `keyfob init`: makes a keychain.
    func initialize() throws(Failure) {
        guard invocation[.token] != nil || (invocation[.moduleParameters] == nil && !invocation.has(.isolate)) else {
            throw Failure(
                .usage, "--module-parameters and --isolate need --token, which names the module",
                hint: "keyfob init --help shows examples")
        }
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
        let pin =
            try token == nil
            ? secrets.newPIN(explicit: invocation[.pinSource])
            : secrets.pin(explicit: invocation[.pinSource], of: nil)
        var securityOfficerPIN: SecretBytes?
        if let source = invocation[.soPINSource] { securityOfficerPIN = try secrets.newPIN(explicit: source) }
        let talks = console.errorIsTerminal
        return try access.create(
            folder, token: token,
            module: ModuleChoice(parameters: invocation[.moduleParameters], isIsolated: invocation.has(.isolate)),
            pin: pin,
            securityOfficerPIN: securityOfficerPIN,
            progress: { step in if talks { console.talk(step) } })
    }
}
