// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
package import KeyfobModel

/// What one caller does with a keychain as its owner: an engine that knows who asks.
final class EngineAdministration: KeychainAdministration {
    private let engine: KeychainEngine
    /// Nil: this process.
    private let caller: Caller?

    init(_ engine: KeychainEngine, _ caller: Caller?) {
        self.engine = engine
        self.caller = caller
    }

    func status() throws(KeychainError) -> KeychainStatus { try engine.status() }

    func unlock(_ pin: borrowing SecretBytes, finalTry: Bool) throws(KeychainError) {
        try engine.unlock(pin, finalTry: finalTry, isBrief: false, by: caller)
    }

    func unlockOnDevice(finalTry: Bool) throws(KeychainError) {
        try engine.unlockOnDevice(finalTry: finalTry, by: caller)
    }

    func lock() throws(KeychainError) { try engine.lock(by: caller) }

    func changePIN(
        from old: borrowing SecretBytes, to new: borrowing SecretBytes, finalTry: Bool
    ) throws(KeychainError) {
        try engine.changePIN(from: old, to: new, finalTry: finalTry, by: caller)
    }

    func unblock(
        _ new: borrowing SecretBytes, securityOfficerPIN: borrowing SecretBytes, destroying items: Int, finalTry: Bool
    ) throws(KeychainError) {
        try engine.unblock(
            new, securityOfficerPIN: securityOfficerPIN, destroying: items, finalTry: finalTry, by: caller)
    }

    func changePINOnDevice(finalTry: Bool) throws(KeychainError) {
        try engine.changePINOnDevice(finalTry: finalTry, by: caller)
    }

    func unblockOnDevice(destroying items: Int, finalTry: Bool) throws(KeychainError) {
        try engine.unblockOnDevice(destroying: items, finalTry: finalTry, by: caller)
    }

    func accessGroups() throws(KeychainError) -> [AccessGroupUse] { try engine.accessGroups() }

    func moveAccessGroup(_ old: AccessGroup, to new: AccessGroup) throws(KeychainError) -> Int {
        try engine.moveAccessGroup(old, to: new, by: caller)
    }

    func verify(_ progress: (Int, Int) -> Void) throws(KeychainError) -> VerificationReport {
        try engine.verify(by: caller, progress)
    }

    func audit(_ query: AuditQuery) throws(KeychainError) -> [AuditRecord] { try engine.audit(query, by: caller) }

    func verifyAudit(_ progress: (Int, Int) -> Void) throws(KeychainError) -> AuditVerification {
        try engine.verifyAudit(by: caller, progress)
    }
}

extension KeychainEngine {
    /// The keychain for its owner; nobody checks here that the caller is one.
    ///
    /// - Parameter caller: who asks, for the audit log; nil: this process.
    package func administration(for caller: Caller? = nil) -> any KeychainAdministration {
        EngineAdministration(self, caller)
    }
}
