// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
internal import KeyfobWire

extension DaemonClient: KeychainService {
    package func add(_ request: consuming AddRequest) throws(KeychainError) -> MatchResult {
        guard case .items(let result) = try ask(.add, isRepeatable: false, .add(request)) else { throw misfit(.add) }
        return result
    }

    package func copyMatching(_ request: MatchRequest) throws(KeychainError) -> MatchResult {
        guard case .items(let result) = try ask(.copyMatching, isRepeatable: true, .copyMatching(request)) else {
            throw misfit(.copyMatching)
        }
        return result
    }

    package func update(_ request: consuming UpdateRequest) throws(KeychainError) {
        guard case .done = try ask(.update, isRepeatable: false, .update(request)) else { throw misfit(.update) }
    }

    package func delete(_ request: DeleteRequest) throws(KeychainError) {
        guard case .done = try ask(.delete, isRepeatable: false, .delete(request)) else { throw misfit(.delete) }
    }

    package func isEntitled(to group: AccessGroup, forWriting: Bool) throws(KeychainError) -> Bool {
        let answer = try ask(.copyMatching, isRepeatable: true, .isEntitled(group, forWriting: forWriting))
        guard case .flag(let isEntitled) = answer else { throw misfit(.copyMatching) }
        return isEntitled
    }
}
