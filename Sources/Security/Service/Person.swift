// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import KeyfobMemory
package import KeyfobModel
internal import KeyfobPlatform

/// Who is asked for the PIN or the password of an item, where the program gave none.
package protocol Person: Sendable {
    /// The entry, of at least one byte; blocks until there is one.
    ///
    /// - Parameter reason: why, in the program's words; nil: it gave none.
    /// - Throws: `.canceled`; `.pinNotGiven` if nobody can be asked here.
    func ask(_ kind: Credentials.Kind, _ reason: String?, _ settings: PromptSettings) throws(KeychainError)
        -> SecretBytes
}

/// The person at the terminal, or at the pinentry program that the keychain's configuration names.
///
/// Files and credentials of the configuration are not read: they would answer for a person who is not there.
package struct PersonAtTheTerminal: Person {
    /// Who is asked by the code that runs inside `$scoped.withValue(_:operation:)`, for tests.
    @TaskLocal package static var scoped: (any Person)?

    static var current: any Person { scoped ?? PersonAtTheTerminal() }

    package func ask(
        _ kind: Credentials.Kind, _ reason: String?, _ settings: PromptSettings
    ) throws(KeychainError) -> SecretBytes {
        let resolver = PINResolver(pinentryProgram: settings.pinentry) { name in
            name == "CREDENTIALS_DIRECTORY" ? nil : Environment.value(name)
        }
        let program = ProcessInfo.processInfo.processName
        let what: String
        switch kind {
        case .pin: what = "PIN of the token \(settings.tokenLabel ?? ""), for one use of an item by \(program)"
        case .applicationPassword: what = "Password of an item of \(program)"
        }
        return try resolver.read(
            PINPrompt(
                description: [reason, what].compactMap { $0 }.joined(separator: "\n"),
                label: kind == .pin ? "PIN" : "Password", asksForPIN: kind == .pin))
    }
}

/// Runs a call; where an item turns out to need a PIN or a password that the program did not give, and somebody may be
/// asked, asks once for each and runs it again.
///
/// What was asked for is for this call alone. A wrong entry is the call's error and not asked for again.
///
/// - Parameters:
///   - query: the dictionary of the call.
///   - call: gets the credentials to use in place of the dictionary's; nil: those of the dictionary.
/// - Throws: what `call` throws; `.canceled`, `.pinNotGiven`.
func withPerson<R: ~Copyable>(
    _ query: CFDictionary, _ operation: KeychainError.Operation, _ call: (Credentials?) throws(KeychainError) -> R
) throws(KeychainError) -> R {
    var given: Credentials?
    while true {
        do throws(KeychainError) {
            return try call(given)
        } catch {
            given = try asked(error, given, query, operation)
        }
    }
}

/// The credentials with the one that an error says is missing.
///
/// - Throws: the error, if it says something else or nobody may be asked.
private func asked(
    _ error: KeychainError, _ given: Credentials?, _ query: CFDictionary, _ operation: KeychainError.Operation
) throws(KeychainError) -> Credentials {
    let kind: Credentials.Kind
    switch error.code {
    case .presenceRequired: kind = .pin
    case .applicationPasswordRequired: kind = .applicationPassword
    default: throw error
    }
    let dictionary = try QueryDictionary(query, operation)
    let credentials = given ?? dictionary.credentials ?? Credentials()
    guard dictionary.authenticationUI == .allow, !credentials.has(kind) else { throw error }
    let settings = try ServiceSelection.current().promptSettings()
    let secret = try PersonAtTheTerminal.current.ask(kind, reason(query), settings)
    do throws(SecretMemoryError) { return try credentials.adding(kind, secret) } catch {
        throw KeychainError(error, operation)
    }
}

private func reason(_ query: CFDictionary) -> String? {
    if let text = query["u_OpPrompt"] as? String { return text }
    guard let context = query["u_AuthCtx"] as? any AuthenticationContext else { return nil }
    return context.localizedReason.isEmpty ? nil : context.localizedReason
}
