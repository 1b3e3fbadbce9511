// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobWords
public import Security

/// Why an embedded keychain did not open, unlock or lock.
public struct EmbeddedKeychainError: Error, CustomStringConvertible, Sendable {
    /// The status that a SecItem function would answer.
    public let status: OSStatus
    /// What happened, to what, and what to do next; holds no secret.
    public let description: String

    init(_ error: KeychainError) {
        status = OSStatus(error)
        let failure = Failure(error)
        description = [failure.what, failure.hint].compactMap(\.self).joined(separator: "; ")
    }
}
