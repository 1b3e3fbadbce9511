// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What is known of a keychain's presence key.
final class PresenceKeeper: Sendable {
    private struct State {
        var record: PresenceRecord?
        var publicKey: PresencePublicKey?
    }

    private let state: Mutex<State>
    /// Held while the key is looked for or made, so across token calls; guards no data.
    ///
    /// Who comes meanwhile finds it done.
    let turn = Mutex(())

    init(_ record: PresenceRecord?) {
        state = Mutex(State(record: record))
    }

    var record: PresenceRecord? { state.withLock { $0.record } }

    /// The opened public half, once it was opened.
    var publicKey: PresencePublicKey? { state.withLock { $0.publicKey } }

    func keep(_ record: PresenceRecord) { state.withLock { $0 = State(record: record) } }

    func keep(_ publicKey: PresencePublicKey) { state.withLock { $0.publicKey = publicKey } }
}
