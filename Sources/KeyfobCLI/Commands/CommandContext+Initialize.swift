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
        let plan = try plan()
        let keychain = try failing { () throws(KeychainError) in
            let folder = try access.folder(invocation[.home])
            guard try !access.exists(in: folder) else {
                // Before anybody types a PIN for nothing.
                throw KeychainError(.keychainExists, .create, subject: .path(folder))
            }
            return try create(folder, plan)
        }
        defer { keychain.close() }
        let report = try failing { () throws(KeychainError) in try keychain.status() }
        try show(report)
    }

    private func plan() throws(Failure) -> NewKeychain {
        var plan = NewKeychain(token: invocation[.token])
        plan.moduleParameters = invocation[.moduleParameters]
        plan.isolatesModule = invocation.has(.isolate)
        if let name = invocation[.suite] {
            guard let suite = Suite.allCases.first(where: { $0.name == name }) else {
                throw Failure(
                    .usage, "there is no suite \(name)",
                    hint: "one of " + Suite.allCases.map(\.name).joined(separator: ", "))
            }
            plan.keys.suite = suite
        }
        if let allowed = invocation[.allow] {
            guard allowed == Self.hostHeld else {
                throw Failure(.usage, "--allow takes \(Self.hostHeld)", hint: "keyfob init --help says what it means")
            }
            plan.keys.allowsHostHeld = true
        }
        if let text = invocation[.keyID] {
            guard plan.token != nil, let id = Self.objectID(text) else {
                throw Failure(
                    .usage, "--key-id takes the CKA_ID of a pair in hexadecimal digits, and needs --token",
                    hint: "pkcs11-tool --list-objects shows the ID of each pair")
            }
            plan.keys.objectID = id
        }
        return plan
    }

    private static var hostHeld: String { "host-held" }

    /// The bytes of pairs of hexadecimal digits; nil for another text, and for one that no token has.
    private static func objectID(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard !digits.isEmpty, digits.count % 2 == 0, digits.count <= 510 else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: 2) {
            let pair = digits[start...start + 1]
            guard pair.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let byte = UInt8(String(decoding: pair, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private func create(_ folder: String, _ plan: NewKeychain) throws(KeychainError) -> any OpenKeychain {
        let pin = try pin(for: plan.token)
        var securityOfficerPIN: SecretBytes?
        if let source = invocation[.soPINSource] { securityOfficerPIN = try secrets.newPIN(explicit: source) }
        let talks = console.errorIsTerminal
        return try access.create(
            folder, plan, pin: pin, securityOfficerPIN: securityOfficerPIN,
            progress: { step in if talks { console.talk(step) } })
    }

    /// The PIN for the token's login; nil: a person enters it on the token's device, and was told so.
    private func pin(for token: String?) throws(KeychainError) -> SecretBytes? {
        let explicit = invocation[.pinSource]
        guard let token else { return try secrets.newPIN(explicit: explicit) }
        if explicit == nil, let identity = try access.tokenWithPINPad(token) {
            console.talk("enter the PIN on the device of \(identity.words); it asks twice")
            return nil
        }
        return try secrets.pin(explicit: explicit, of: nil)
    }
}
