// SPDX-License-Identifier: Apache-2.0
package import KeyfobEngine
package import KeyfobModel
internal import Synchronization

/// One connected program: who it is, and the keychain as the policies of the moment let it see it.
package final class CallerSession: Sendable {
    private struct State {
        var generation = 0
        var service: (any ProgressingService)?
    }

    /// From the kernel, when it connected.
    package let caller: Caller
    private let engine: KeychainEngine
    private let entitlements: Entitlements?
    private let state = Mutex(State())

    /// - Parameter entitlements: What the caller is given whatever the policies say, or nil: what they say.
    package init(_ caller: Caller, _ engine: KeychainEngine, entitlements: Entitlements? = nil) {
        self.caller = caller
        self.engine = engine
        self.entitlements = entitlements
    }

    /// The keychain as the caller sees it now: policies that were read anew hold from the next request on.
    package var service: any ProgressingService {
        let generation = engine.policyGeneration
        if let service = state.withLock({ $0.generation == generation ? $0.service : nil }) { return service }
        let made = entitlements.map { engine.service(with: $0) } ?? engine.service(for: caller)
        state.withLock { $0 = State(generation: generation, service: made) }
        return made
    }
}
