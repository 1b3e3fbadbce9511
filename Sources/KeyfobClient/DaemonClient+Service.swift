// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
package import KeyfobModel
internal import KeyfobWire

extension DaemonClient: KeychainService {
    package func add(_ request: consuming AddRequest) throws(KeychainError) -> MatchResult {
        try Self.check(request.value, .add)
        guard case .items(let result) = try ask(.add, isRepeatable: false, .add(request)) else { throw misfit(.add) }
        return result
    }

    package func copyMatching(_ request: MatchRequest) throws(KeychainError) -> MatchResult {
        // A daemon that went away may have sent the PIN to the token: it must not get there twice.
        let isRepeatable = request.credentials?.has(.pin) != true
        guard case .items(let result) = try ask(.copyMatching, isRepeatable: isRepeatable, .copyMatching(request))
        else {
            throw misfit(.copyMatching)
        }
        return result
    }

    package func update(_ request: consuming UpdateRequest) throws(KeychainError) {
        try Self.check(request.value, .update)
        guard case .done = try ask(.update, isRepeatable: false, .update(request)) else { throw misfit(.update) }
    }

    package func delete(_ request: DeleteRequest) throws(KeychainError) {
        guard case .done = try ask(.delete, isRepeatable: false, .delete(request)) else { throw misfit(.delete) }
    }

    package func promptSettings() throws(KeychainError) -> PromptSettings {
        let status = try status()
        return PromptSettings(tokenLabel: status.token.label, pinentry: status.pinentry)
    }

    package func isEntitled(to group: AccessGroup, forWriting: Bool) throws(KeychainError) -> Bool {
        let answer = try ask(.copyMatching, isRepeatable: true, .isEntitled(group, forWriting: forWriting))
        guard case .flag(let isEntitled) = answer else { throw misfit(.copyMatching) }
        return isEntitled
    }

    /// A daemon takes no larger value; the caller is told so and not that its message was malformed.
    private static func check(
        _ value: borrowing SecretBytes?, _ operation: KeychainError.Operation
    ) throws(KeychainError) {
        let count =
            switch value {
            case .some(let value): value.count
            case .none: 0
            }
        guard count > WireLimits.valueSize else { return }
        throw KeychainError(
            .invalidParameter, operation, subject: .parameter("v_Data"),
            cause: .format(place: "the value", fault: "is longer than \(WireLimits.valueSize >> 20) MiB"))
    }
}
