// SPDX-License-Identifier: Apache-2.0
package import KeyfobEngine
internal import KeyfobMemory
package import KeyfobModel
package import KeyfobPlatform
internal import KeyfobWords

/// What a daemon does about the PIN when it starts: one try, from a source that asks nobody, or none.
///
/// A service that restarts must never use up the tries of its token.
package enum AutomaticUnlock {
    /// How it went; in every case the daemon goes on.
    package enum Outcome: Hashable, Sendable {
        case unlocked
        /// No PIN source is named, and there is no systemd credential `token-pin`.
        case noSource
        /// The configured source asks a person.
        case asksSomebody
        /// The token says that few tries are left, or one or none: the PIN was not even read.
        case fewTries(KeychainError.TriesLeft)
        /// The source or the token refused; it is not tried again.
        case failed(KeychainError)

        /// In one line, for the log and the manager; without the names that others chose.
        package var words: String {
            switch self {
            case .unlocked: "unlocked"
            case .noSource: "locked: no PIN source is configured; keyfob unlock unlocks it"
            case .asksSomebody: "locked: the configured PIN source asks a person; keyfob unlock unlocks it"
            case .fewTries(let left):
                "locked: \(left == .none ? "no try of the PIN is left" : "few tries of the PIN are left"), so it was "
                    + "not sent; keyfob unlock unlocks it"
            case .failed(let error): "locked: \(Failure(error).what); it is not tried again"
            }
        }
    }

    /// Unlocks the keychain if it can be done without asking; says in the log how it went.
    ///
    /// The source is the first of `explicit`, the keychain's configuration and the credential `token-pin`; one that
    /// fails does not lead to the next. Blocks for as long as the source and the token take.
    ///
    /// - Parameters:
    ///   - explicit: the PIN source of the command line.
    ///   - environment: looks up an environment variable.
    package static func run(
        _ engine: KeychainEngine, explicit: PINSource? = nil,
        environment: @escaping PINResolver.Lookup = { Environment.value($0) }
    ) -> Outcome {
        let outcome = attempt(engine, explicit, environment)
        switch outcome {
        case .unlocked: break
        case .noSource, .asksSomebody: Log.shared.notice("keychain \(engine.home.path) \(outcome.words)")
        case .fewTries, .failed: Log.shared.error("keychain \(engine.home.path) \(outcome.words)")
        }
        return outcome
    }

    private static func attempt(
        _ engine: KeychainEngine, _ explicit: PINSource?, _ environment: @escaping PINResolver.Lookup
    ) -> Outcome {
        do throws(KeychainError) {
            guard let source = try source(engine, explicit, environment) else { return .noSource }
            guard !source.isInteractive else { return .asksSomebody }
            let left = try engine.status().triesLeft
            guard left == .unknown else { return .fewTries(left) }
            let pin = try PINResolver(explicit: source, environment: environment).read(PINPrompt(description: ""))
            try engine.unlock(pin)
            return .unlocked
        } catch {
            return .failed(error)
        }
    }

    private static func source(
        _ engine: KeychainEngine, _ explicit: PINSource?, _ environment: PINResolver.Lookup
    ) throws(KeychainError) -> PINSource? {
        if let explicit { return explicit }
        if let text = engine.configuredPINSource { return try PINSource(text) }
        let credential = SystemdCredential.tokenPIN
        guard SystemdCredential.path(credential, folder: environment("CREDENTIALS_DIRECTORY")) != nil else {
            return nil
        }
        return .credential(name: credential)
    }
}
