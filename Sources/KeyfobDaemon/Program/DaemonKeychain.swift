// SPDX-License-Identifier: Apache-2.0
package import KeyfobEngine
package import KeyfobModel
package import KeyfobPlatform
internal import KeyfobWords
internal import Synchronization

/// The keychain of a daemon, from its opening to its end, with what the manager is told about it.
package final class DaemonKeychain: Sendable {
    package let engine: KeychainEngine
    /// After how long without use it is locked; what the command line says wins over the configuration.
    package let idle: IdleLimit
    private let start: Mutex<AutomaticUnlock.Outcome?>
    /// The returns of the token after which it was unlocked.
    private let returns = Atomic(0)

    /// Opens the keychain that the settings name, before first unlock.
    ///
    /// - Throws: as `LockedMemory.openEngine`.
    package init(_ settings: DaemonSettings, patience: Double = 0) throws(KeychainError) {
        engine = try LockedMemory.openEngine(settings, patience: patience)
        idle = settings.idle ?? engine.configuration.idle ?? .never
        start = Mutex(nil)
    }

    /// Makes the keychain of a sandbox, before first unlock; its PIN is in the sandbox's folder.
    ///
    /// - Throws: as `KeychainEngine.create`.
    package init(making sandbox: SandboxFolder, idle: IdleLimit? = nil) throws(KeychainError) {
        LockedMemory.raiseLimit()
        engine = try KeychainEngine.create(
            try KeychainHome.resolve(explicit: sandbox.home), KeychainPlan(), pin: try SecretFile.read(sandbox.pinFile))
        self.idle = idle ?? .never
        start = Mutex(nil)
    }

    /// Unlocks it if that can be done without asking (`AutomaticUnlock.run`): at the start, and when the token has come
    /// back.
    @discardableResult
    package func unlockWithoutAsking(_ settings: DaemonSettings) -> AutomaticUnlock.Outcome {
        let outcome = AutomaticUnlock.run(engine, explicit: settings.pinSource)
        start.withLock { $0 = outcome }
        return outcome
    }

    /// Asks the token whether it is there; a login that was lost with it comes back as it came at the start.
    func followToken(_ settings: DaemonSettings) {
        engine.checkToken()
        let now = engine.tokenReturns
        guard returns.exchange(now, ordering: .relaxed) != now else { return }
        // Whoever was faster has unlocked it, and perhaps locked it again.
        guard engine.lockState == .beforeFirstUnlock else { return }
        unlockWithoutAsking(settings)
    }

    /// How the keychain is, in one line: `unlocked`, why it is locked, or why it could not be unlocked at the start.
    ///
    /// Asks the token nothing.
    package var statusLine: String {
        switch engine.lockState {
        case .unlocked: "unlocked"
        case .noToken: "no token"
        case .locked: engine.lastLock.map { "locked: \($0.reason.words(idleSeconds: idle.seconds))" } ?? "locked"
        case .beforeFirstUnlock: start.withLock { $0 }?.words ?? "locked"
        }
    }
}
