// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobMemory
internal import KeyfobModel
internal import Security
internal import Synchronization

extension LAContext {
    /// Why the policy cannot be evaluated now.
    func obstacle(to policy: LAPolicy) -> LAError.Code {
        state.withLock { $0.isValid } ? policy.obstacle : .invalidContext
    }

    /// Why what the access control object wants cannot be had now; nil if it wants nothing.
    func obstacle(to accessControl: SecAccessControl) -> LAError.Code? {
        guard state.withLock({ $0.isValid }) else { return .invalidContext }
        return accessControl.value.isConstrained ? .notInteractive : nil
    }

    /// Keeps a credential, or takes one out with nil; false if the context was invalidated.
    func put(_ credential: consuming SecretBytes?, _ type: LACredentialType) -> Bool {
        // A closure cannot consume what it captures, so the credential goes in by way of an optional.
        var credential = credential
        return state.withLock { state in
            guard state.isValid else { return false }
            state.credentials.put(credential.take(), type)
            return true
        }
    }
}

extension SecretBytes {
    /// The bytes of `data`, which stays the caller's.
    ///
    /// - Throws: `SecretMemoryError` if there is no locked memory for them.
    init(_ data: Data) throws(SecretMemoryError) {
        self = try Self.copying(data)
    }

    private static func copying(_ data: Data) throws(SecretMemoryError) -> SecretBytes {
        var copy = try SecretBytes(count: data.count)
        unsafe copy.withUnsafeMutableBytes { bytes in _ = unsafe data.copyBytes(to: bytes) }
        return copy
    }
}
