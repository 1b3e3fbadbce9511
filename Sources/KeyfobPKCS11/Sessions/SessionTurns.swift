// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Lets one thread at a time open or close a session of a module that cannot take it otherwise.
///
/// tpm2-pkcs11 is such a one: with sessions opened or closed at the same time it loses some of them, or ends the process.
/// No other module waits.
final class SessionTurns: Sendable {
    /// What such modules call their manufacturer (`C_GetInfo`).
    private static let manufacturers: Set<String> = ["tpm2-software.github.io"]

    private let areNeeded = Atomic<Bool>(false)
    /// Held across `C_OpenSession` and `C_CloseSession` of a module that needs it; guards no data.
    private let turn = Mutex(())

    /// Takes notice of what the module says about itself.
    func note(_ info: ModuleInfo) {
        if Self.manufacturers.contains(info.manufacturer) { areNeeded.store(true, ordering: .relaxed) }
    }

    /// Calls `body`, in turn if the module needs that.
    func take<R>(_ body: () -> R) -> R {
        guard areNeeded.load(ordering: .relaxed) else { return body() }
        return turn.withLock { _ in body() }
    }
}
