// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import Synchronization

/// The access policies that hold now; they can be read anew while callers are served.
final class PolicyBoard: Sendable {
    private struct State {
        var policy: AccessPolicy
        var generation = 1
    }

    private let folders: [String]
    private let state: Mutex<State>

    /// Reads the policy files.
    ///
    /// - Throws: as `AccessPolicy.read(folders:)`.
    init(folders: [String]) throws(KeychainError) {
        self.folders = folders
        state = Mutex(State(policy: try AccessPolicy.read(folders: folders)))
    }

    /// The policy that holds now.
    var current: AccessPolicy { state.withLock { $0.policy } }

    /// Counts the readings that went well, from 1.
    var generation: Int { state.withLock { $0.generation } }

    /// Reads the files again; if one is wrong, what held before goes on.
    ///
    /// - Throws: as `AccessPolicy.read(folders:)`.
    func reload() throws(KeychainError) {
        let fresh = try AccessPolicy.read(folders: folders)
        state.withLock { state in
            state.policy = fresh
            state.generation += 1
        }
    }
}
