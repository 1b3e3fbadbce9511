// SPDX-License-Identifier: Apache-2.0
package import KeyfobEngine
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import Security
internal import Synchronization

/// A keychain opened inside this process, for tests, one-service hosts and programs that cannot have a daemon.
///
/// ```swift
/// try EmbeddedKeychain.open(pin: .configured)      // one call; from here on the SecItem functions work
/// ```
/// The process owns the keychain until `close`; another process that wants it is told who has it. A keychain has to
/// exist: `keyfob init` makes one.
public final class EmbeddedKeychain: Sendable {
    /// Where the token's PIN comes from.
    public enum PIN: Sendable {
        /// Nobody logs in: only `kSecAttrAccessibleAlways` items work until `unlock` is called.
        case none
        /// The source in the keychain's `config.json`, else a systemd credential, pinentry or the terminal.
        case configured
        /// A source in words, `file:/run/secrets/pin` for instance (docs/operations.md, PIN sources).
        case source(String)
    }

    /// Where the keychain stands between login and logout of its token.
    public enum State: Sendable {
        case beforeFirstUnlock
        case unlocked
        case locked
        /// The token is absent; before first unlock when it comes back.
        case noToken
    }

    /// When the keychain is locked because nobody uses it.
    public enum IdleLock: Sendable, Equatable {
        /// Never; `lock` and `close` lock it.
        case never
        /// After the time that `idle` in the keychain's `config.json` says, which daemons go by too; never if it says nothing.
        case configured
        /// After a time, in whole seconds from 1 to 604,800 (a week).
        case seconds(Int)
    }

    private let engine: KeychainEngine
    private let service: any KeychainService
    /// Runs from `open` to `close`.
    private let idleClock = Mutex<IdleClock?>(nil)

    private init(_ engine: KeychainEngine, _ service: any KeychainService) {
        self.engine = engine
        self.service = service
    }

    /// A keychain over an engine that is open already and stays its owner's to close; for hosts and tests of the package.
    package convenience init(over engine: KeychainEngine) {
        self.init(engine, engine.service(for: .current()))
    }

    /// Opens a keychain, logs in to its token and makes it the one that the SecItem functions of this process use.
    ///
    /// Blocks for the token, the disk and whoever gives the PIN.
    ///
    /// - Parameters:
    ///   - folder: the keychain's folder; nil: `KEYFOB_HOME`, else the user's.
    ///   - applicationIdentifier: the access group of the program's own items; nil: as the policy files say.
    ///   - accessGroups: further groups, before the identifier as in `keychain-access-groups`.
    ///   - idleLock: locks the keychain, from a thread of its own, when for so long nothing was done that needs the login;
    ///     `unlock` ends that as it ends every lock. What counts as use stands in docs/operations.md, Locking.
    /// - Throws: `EmbeddedKeychainError`, with `errSecParam` for a time out of bounds. After a throw nothing stays open.
    @discardableResult
    public static func open(
        folder: String? = nil, pin: PIN = .configured, applicationIdentifier: String? = nil,
        accessGroups: [String] = [], idleLock: IdleLock = .never
    ) throws -> EmbeddedKeychain {
        do {
            try idleLock.verify()
            let engine = try KeychainEngine.open(try KeychainHome.resolve(explicit: folder))
            do {
                let keychain = EmbeddedKeychain(
                    engine, service(of: engine, applicationIdentifier, accessGroups))
                try keychain.logIn(pin)
                try keychain.lockWhenIdle(idleLock.limit(engine))
                ServiceSelection.install(keychain.service)
                return keychain
            } catch {
                engine.close()
                throw error
            }
        } catch let error as KeychainError {
            throw EmbeddedKeychainError(error)
        }
    }

    /// Logs in to the token; does nothing if that was done.
    ///
    /// - Throws: `EmbeddedKeychainError`; a wrong PIN has reached the token once.
    public func unlock(pin: PIN = .configured) throws {
        do { try logIn(pin) } catch { throw EmbeddedKeychainError(error) }
    }

    /// Logs out of the token: items of the classes that need a login are out of reach, for everybody in the process.
    public func lock() throws {
        do { try engine.lock() } catch { throw EmbeddedKeychainError(error) }
    }

    /// Locks the keychain and gives it up; the SecItem functions answer `errSecNotAvailable` afterwards.
    public func close() {
        ServiceSelection.install(nil)
        // Waits for a lock that is under way, so it is taken out first.
        idleClock.withLock { $0.take() }?.stop()
        engine.close()
    }

    /// Begins to look how long nobody has used it.
    private func lockWhenIdle(_ limit: IdleLimit) throws(KeychainError) {
        guard let seconds = limit.seconds else { return }
        let clock: IdleClock
        do throws(PosixError) { clock = try IdleClock(engine, limit: .seconds(seconds)) } catch {
            throw KeychainError(.inputOutput, .open, cause: .posix(call: error.call, errno: error.errno))
        }
        idleClock.withLock { $0 = clock }
    }

    /// Where the keychain stands.
    public var state: State {
        switch engine.lockState {
        case .beforeFirstUnlock: .beforeFirstUnlock
        case .unlocked: .unlocked
        case .locked: .locked
        case .noToken: .noToken
        }
    }

    /// Runs `body` with this keychain under the SecItem functions, whatever the process's own is.
    ///
    /// For a host with several keychains or several identities, and for tests that run side by side.
    public func use<R>(
        applicationIdentifier: String? = nil, accessGroups: [String] = [], _ body: () throws -> R
    ) rethrows -> R {
        let service =
            applicationIdentifier == nil && accessGroups.isEmpty
            ? service : Self.service(of: engine, applicationIdentifier, accessGroups)
        return try ServiceSelection.$scoped.withValue(service, operation: body)
    }

    /// Runs `body` as a program that is given exactly these groups, which may be none.
    package func use<R>(_ entitlements: Entitlements, _ body: () throws -> R) rethrows -> R {
        try ServiceSelection.$scoped.withValue(engine.service(with: entitlements), operation: body)
    }

    private static func service(
        of engine: KeychainEngine, _ identifier: String?, _ groups: [String]
    ) -> any KeychainService {
        guard identifier != nil || !groups.isEmpty else { return engine.service(for: .current()) }
        return engine.service(
            with: Entitlements(applicationIdentifier: identifier, keychainAccessGroups: groups))
    }

    private func logIn(_ pin: PIN) throws(KeychainError) {
        let explicit: PINSource?
        switch pin {
        case .none: return
        case .configured: explicit = nil
        case .source(let text): explicit = try PINSource(text)
        }
        let configured: PINSource?
        if let text = engine.configuredPINSource {
            configured = try PINSource(text, relativeTo: engine.home.path)
        } else {
            configured = nil
        }
        let resolver = PINResolver(
            explicit: explicit, configured: configured, pinentryProgram: engine.configuration.pinentry)
        let secret = try resolver.read(PINPrompt(description: "PIN of the token \(engine.tokenLabel)"))
        try engine.unlock(secret)
    }
}

extension EmbeddedKeychain.IdleLock {
    /// - Throws: `.invalidParameter` if the time is out of bounds.
    fileprivate func verify() throws(KeychainError) {
        guard case .seconds(let seconds) = self, IdleLimit(seconds: seconds) == nil else { return }
        throw KeychainError(
            .invalidParameter, .open, subject: .parameter("idleLock"),
            cause: .format(place: "idleLock", fault: "is not \(IdleLimit.bounds)"))
    }

    fileprivate func limit(_ engine: KeychainEngine) -> IdleLimit {
        switch self {
        case .never: .never
        case .configured: engine.configuration.idle ?? .never
        case .seconds(let seconds): IdleLimit(seconds: seconds) ?? .never
        }
    }
}
