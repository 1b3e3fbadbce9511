// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobModel

/// Runs a call and gives its status; the one place where a throw becomes an `OSStatus`.
func reportingStatus(_ body: () throws(KeychainError) -> Void) -> OSStatus {
    do {
        try body()
        return errSecSuccess
    } catch {
        FailureLog.note(error)
        return OSStatus(error)
    }
}

/// Runs the parser of an update or a delete; a group that the caller may not write is a worse fault than a malformed
/// query, so on failure, and only then, the service is asked about the group that the query names.
///
/// - Throws: `.missingEntitlement`, or what the parser threw.
func parsing<Request: ~Copyable>(
    _ query: CFDictionary, _ operation: KeychainError.Operation, _ parse: () throws(KeychainError) -> Request
) throws(KeychainError) -> Request {
    do {
        return try parse()
    } catch {
        guard let value = query["agrp"], case .text(let name)? = AttributeValue(value, as: .text) else { throw error }
        let group = AccessGroup(utf8: name)
        if isRefused(group) { throw KeychainError(.missingEntitlement, operation, subject: .accessGroup(group)) }
        throw error
    }
}

private func isRefused(_ group: AccessGroup) -> Bool {
    do {
        return try !ServiceSelection.current().isEntitled(to: group, forWriting: true)
    } catch {
        // Nobody can say: the parser's error, which the caller gets, is true in any case.
        return false
    }
}
