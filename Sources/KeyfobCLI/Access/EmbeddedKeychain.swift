// SPDX-License-Identifier: Apache-2.0
internal import KeyfobEngine
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform

/// A keychain whose engine runs in this process.
final class EmbeddedKeychain: OpenKeychain {
    private let engine: KeychainEngine
    let service: any KeychainService

    init(_ engine: KeychainEngine) {
        self.engine = engine
        service = engine.service(for: .current())
    }

    var token: TokenIdentity { engine.token }
    var configuredPINSource: String? { engine.configuredPINSource }
    var configuredPinentry: String? { engine.configuration.pinentry }
    var staysUnlocked: Bool { false }
    var isUnlocked: Bool { engine.lockState == .unlocked }

    func unlock(_ pin: borrowing SecretBytes, finalTry: Bool) throws(KeychainError) {
        try engine.unlock(pin, finalTry: finalTry, isBrief: true)
    }

    func unlockOnDevice(finalTry: Bool) throws(KeychainError) {
        try engine.unlockOnDevice(finalTry: finalTry, isBrief: true)
    }

    func hasPINPad() throws(KeychainError) -> Bool { try engine.hasPINPad() }

    func lock() throws(KeychainError) { try engine.lock() }

    func daemonStatus() throws(KeychainError) -> DaemonStatus? { nil }

    func metrics() throws(KeychainError) -> String? { nil }

    func close() { engine.close() }

    func status() throws(KeychainError) -> KeychainStatus { try engine.status() }

    func changePIN(
        from old: borrowing SecretBytes, to new: borrowing SecretBytes, finalTry: Bool
    ) throws(KeychainError) {
        try engine.changePIN(from: old, to: new, finalTry: finalTry)
    }

    func unblock(
        _ new: borrowing SecretBytes, securityOfficerPIN: borrowing SecretBytes, destroying items: Int, finalTry: Bool
    ) throws(KeychainError) {
        try engine.unblock(new, securityOfficerPIN: securityOfficerPIN, destroying: items, finalTry: finalTry)
    }

    func changePINOnDevice(finalTry: Bool) throws(KeychainError) {
        try engine.changePINOnDevice(finalTry: finalTry)
    }

    func unblockOnDevice(destroying items: Int, finalTry: Bool) throws(KeychainError) {
        try engine.unblockOnDevice(destroying: items, finalTry: finalTry)
    }

    func accessGroups() throws(KeychainError) -> [AccessGroupUse] { try engine.accessGroups() }

    func moveAccessGroup(_ old: AccessGroup, to new: AccessGroup) throws(KeychainError) -> Int {
        try engine.moveAccessGroup(old, to: new)
    }

    func verify(_ progress: (Int, Int) -> Void) throws(KeychainError) -> VerificationReport {
        try engine.verify(progress)
    }

    func audit(_ query: AuditQuery) throws(KeychainError) -> [AuditRecord] {
        try engine.audit(query, by: .current())
    }

    func verifyAudit(_ progress: (Int, Int) -> Void) throws(KeychainError) -> AuditVerification {
        try engine.verifyAudit(by: .current(), progress)
    }
}
