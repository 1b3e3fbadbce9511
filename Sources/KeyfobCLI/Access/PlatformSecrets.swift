// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWords

/// Secrets from where this process can get them: files, credentials, pinentry, the terminal, the standard input.
struct PlatformSecrets: SecretInput {
    /// The most bytes of a value.
    private static let valueLimit = 16 * 1024 * 1024
    /// How often a person may try to type the same new PIN twice.
    private static let rounds = 3
    /// How many bytes the PIN of a SoftHSM token may have (`MIN_PIN_LEN` and `MAX_PIN_LEN` in SoftHSM's cryptoki.h).
    ///
    /// Asked of a person before the token is made; the token itself refuses the others.
    private static let newPINLengths = 4...255

    /// The folder that a relative `--pin-source` counts from.
    let currentFolder: String?

    func pin(explicit: String?, of keychain: (any OpenKeychain)?) throws(KeychainError) -> SecretBytes {
        var configured: PINSource?
        if explicit == nil, let text = keychain?.configuredPINSource { configured = try PINSource(text) }
        let resolver = PINResolver(
            explicit: try source(explicit), configured: configured, pinentryProgram: keychain?.configuredPinentry)
        let token = keychain.map { "The keychain's \($0.token.words)" } ?? "The token that is to hold the keys"
        return try resolver.read(PINPrompt(description: token))
    }

    func credential(
        _ kind: Credentials.Kind, isNew: Bool, explicit: String?, of keychain: any OpenKeychain
    ) throws(KeychainError) -> SecretBytes {
        let resolver = PINResolver(
            explicit: kind == .pin ? try source(explicit) : nil, pinentryProgram: keychain.configuredPinentry
        ) { name in
            // A credential of the service manager would answer for a person who is not there.
            name == "CREDENTIALS_DIRECTORY" ? nil : Environment.value(name)
        }
        guard kind == .applicationPassword else {
            return try resolver.read(
                PINPrompt(description: "The item needs a person: the PIN of the \(keychain.token.words)"))
        }
        guard isNew else {
            return try resolver.read(
                PINPrompt(description: "The item has a password of its own", label: "Password", asksForPIN: false))
        }
        return try twice(resolver, "Choose the item's password", "Password", nil, asksForPIN: false)
    }

    func newPIN(explicit: String?) throws(KeychainError) -> SecretBytes {
        let resolver = PINResolver(explicit: try source(explicit))
        let lengths = Self.newPINLengths
        let range = "\(lengths.lowerBound) to \(lengths.upperBound)"
        let description = "A new software token is made; choose its PIN, \(range) bytes"
        guard try resolver.source().isInteractive else {
            let pin = try resolver.read(PINPrompt(description: description))
            // Before a token is made that nobody would use.
            guard lengths.contains(pin.count) else {
                throw KeychainError(
                    .pinLength, .create,
                    remedy: .choosePINLength(minimum: lengths.lowerBound, maximum: lengths.upperBound))
            }
            return pin
        }
        return try twice(resolver, description, "New PIN", lengths)
    }

    func securityOfficerPIN(
        explicit: String?, of keychain: any OpenKeychain
    ) throws(KeychainError) -> SecretBytes {
        // The credential of the service is the user's PIN: tried as another's it would cost a try.
        let resolver = PINResolver(
            explicit: try source(explicit, "--so-pin-source"), credential: nil,
            pinentryProgram: keychain.configuredPinentry)
        let description = "The security officer of the keychain's \(keychain.token.words)"
        return try resolver.read(PINPrompt(description: description, label: "Security officer's PIN"))
    }

    func replacementPIN(
        explicit: String?, of keychain: any OpenKeychain
    ) throws(KeychainError) -> SecretBytes {
        let resolver = PINResolver(
            explicit: try source(explicit, "--new-pin-source"), credential: nil,
            pinentryProgram: keychain.configuredPinentry)
        let description = "Choose the new PIN of the keychain's \(keychain.token.words)"
        guard try resolver.source().isInteractive else {
            return try resolver.read(PINPrompt(description: description))
        }
        return try twice(resolver, description, "New PIN", nil)
    }

    func number(_ question: String) throws(KeychainError) -> Int? {
        let terminal = TerminalPrompt(echoes: true)
        guard terminal.isAvailable else { return nil }
        let typed = try terminal.read(PINPrompt(description: "", label: question))
        guard
            let number = typed.withBytes({ span in
                Int(unsafe span.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) })
            })
        else { throw KeychainError(.canceled, .prompt) }
        return number
    }

    /// A new PIN or password that a person types twice.
    ///
    /// - Parameters:
    ///   - label: The word before the entry.
    ///   - lengths: How many bytes it may have; nil: any number here.
    private func twice(
        _ resolver: PINResolver, _ description: String, _ label: String, _ lengths: ClosedRange<Int>?,
        asksForPIN: Bool = true
    ) throws(KeychainError) -> SecretBytes {
        var fault: String?
        for _ in 0..<Self.rounds {
            let first = try resolver.read(
                PINPrompt(description: description, label: label, error: fault, asksForPIN: asksForPIN))
            guard lengths?.contains(first.count) ?? true else {
                fault = "It has \(first.count) bytes"
                continue
            }
            let second = try resolver.read(PINPrompt(description: "", label: "\(label) again", asksForPIN: asksForPIN))
            if Self.areEqual(first, second) { return first }
            fault = "The two are not the same"
        }
        throw KeychainError(.canceled, .prompt)
    }

    func value(label: String) throws(KeychainError) -> SecretBytes {
        guard StandardInput.isTerminal else { return try StandardInput.readSecret(limit: Self.valueLimit) }
        return try TerminalPrompt().read(PINPrompt(description: "", label: label))
    }

    private func source(
        _ text: String?, _ option: String = "--pin-source"
    ) throws(KeychainError) -> PINSource? {
        guard let text else { return nil }
        // A bare word that names no file may be the PIN itself: no message may repeat it.
        if !text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }), text != "-" {
            guard unsafe access(text, F_OK) == 0 else {
                throw KeychainError(
                    .pinNotGiven, .prompt, subject: .parameter(option),
                    cause: .posix(call: "access", errno: errno))
            }
        }
        return try PINSource(text, relativeTo: currentFolder)
    }

    /// Both were typed by one person a moment ago: how long the comparison takes tells nobody anything.
    private static func areEqual(_ left: borrowing SecretBytes, _ right: borrowing SecretBytes) -> Bool {
        unsafe left.withUnsafeBytes { first in
            unsafe right.withUnsafeBytes { second in unsafe first.elementsEqual(second) }
        }
    }
}
