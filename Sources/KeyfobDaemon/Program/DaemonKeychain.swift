// SPDX-License-Identifier: Apache-2.0
package import KeyfobEngine
package import KeyfobModel
package import KeyfobPlatform
internal import Synchronization

/// The keychain of a daemon, from its opening to its end, with what the manager is told about it.
package final class DaemonKeychain: Sendable {
    package let engine: KeychainEngine
    private let start: Mutex<AutomaticUnlock.Outcome?>
    /// The returns of the token after which it was unlocked.
    private let returns = Atomic(0)

    /// Opens the keychain that the settings name, before first unlock.
    ///
    /// - Throws: as `LockedMemory.openEngine`.
    package init(_ settings: DaemonSettings, patience: Double = 0) throws(KeychainError) {
        engine = try LockedMemory.openEngine(settings, patience: patience)
        start = Mutex(nil)
    }

    /// Makes the keychain of a sandbox, before first unlock; its PIN is in the sandbox's folder.
    ///
    /// - Throws: as `KeychainEngine.create`.
    package init(making sandbox: SandboxFolder) throws(KeychainError) {
        LockedMemory.raiseLimit()
        engine = try KeychainEngine.create(
            try KeychainHome.resolve(explicit: sandbox.home), KeychainPlan(), pin: try SecretFile.read(sandbox.pinFile))
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
        unlockWithoutAsking(settings)
    }

    /// How the keychain is, in one line: `unlocked`, `locked` or why it could not be unlocked at the start.
    ///
    /// Asks the token nothing.
    package var statusLine: String {
        switch engine.lockState {
        case .unlocked: "unlocked"
        case .locked: "locked"
        case .noToken: "no token"
        case .beforeFirstUnlock: start.withLock { $0 }?.words ?? "locked"
        }
    }
}
