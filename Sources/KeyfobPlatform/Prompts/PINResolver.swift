// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
package import KeyfobModel

/// Chooses where a PIN comes from, and gets it there.
///
/// The order: the source that was named for this call, the configured one, the systemd credential `token-pin`, a
/// configured pinentry program if there is a terminal or display for it, the terminal. A named source that has no PIN is
/// an error and never leads to the next one.
package struct PINResolver: Sendable {
    /// Looks up an environment variable; nil if it is unset or empty.
    package typealias Lookup = @Sendable (String) -> String?

    private let named: PINSource?
    private let credential: String?
    private let pinentryProgram: String?
    private let terminal: TerminalPrompt
    private let environment: Lookup

    /// - Parameters:
    ///   - explicit: the source of this call, an option for instance.
    ///   - configured: the source that the keychain's configuration or the token's URI names.
    ///   - credential: the name of the systemd credential that holds this PIN; nil: none does.
    ///   - pinentryProgram: the configured pinentry program, or nil: none is started.
    package init(
        explicit: PINSource? = nil, configured: PINSource? = nil,
        credential: String? = SystemdCredential.tokenPIN, pinentryProgram: String? = nil,
        terminal: TerminalPrompt = TerminalPrompt(), environment: @escaping Lookup = { Environment.value($0) }
    ) {
        named = explicit ?? configured
        self.credential = credential
        self.pinentryProgram = pinentryProgram
        self.terminal = terminal
        self.environment = environment
    }

    /// The source that `read` uses.
    ///
    /// - Throws: `.pinNotGiven` if there is none.
    package func source() throws(KeychainError) -> PINSource {
        if let named { return named }
        if let credential, SystemdCredential.path(credential, folder: credentials) != nil {
            return .credential(name: credential)
        }
        if let pinentryProgram, hasDisplay || terminal.isAvailable { return .pinentry(program: pinentryProgram) }
        if terminal.isAvailable { return .terminal }
        throw KeychainError(.pinNotGiven, .prompt, remedy: .fixConfiguration)
    }

    /// A PIN of at least one byte.
    ///
    /// Blocks for as long as the person or the writer of a pipe takes.
    ///
    /// - Throws: `.pinNotGiven` if there is no source or it holds nothing, `.canceled` if the person will not, and the
    ///   errors of the source; `.invalidParameter` in place of `.pinLength` for a password.
    package func read(_ prompt: PINPrompt) throws(KeychainError) -> SecretBytes {
        let source = try source()
        let pin: SecretBytes
        do throws(KeychainError) { pin = try read(source, prompt) } catch {
            guard error.code == .pinLength, !prompt.asksForPIN else { throw error }
            throw KeychainError(
                .invalidParameter, .prompt, subject: .parameter("password"),
                cause: .format(place: "password", fault: "is longer than \(TerminalPrompt.limit) bytes"))
        }
        // An empty PIN must never reach a token: some count it as a wrong one, some take it as "use the pin pad".
        guard !pin.isEmpty else {
            if source.isInteractive { throw KeychainError(.canceled, .prompt) }
            throw KeychainError(.pinNotGiven, .prompt, subject: .parameter(source.text), remedy: .fixConfiguration)
        }
        return pin
    }

    private func read(_ source: PINSource, _ prompt: PINPrompt) throws(KeychainError) -> SecretBytes {
        switch source {
        case .file(let path):
            return try SecretFile.read(path)
        case .credential(let name):
            return try SystemdCredential.read(name, folder: credentials)
        case .pinentry(let program):
            return try Pinentry(program: program, environment: environment).read(prompt)
        case .terminal:
            return try terminal.read(prompt)
        case .standardInput:
            var pin = try StandardInput.readSecret(limit: SecretFile.defaultLimit)
            pin.dropNewline()
            return pin
        }
    }

    private var credentials: String? { environment("CREDENTIALS_DIRECTORY") }

    private var hasDisplay: Bool { environment("DISPLAY") != nil || environment("WAYLAND_DISPLAY") != nil }
}
