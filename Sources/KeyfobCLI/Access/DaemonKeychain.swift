// SPDX-License-Identifier: Apache-2.0
internal import KeyfobClient
internal import KeyfobMemory
internal import KeyfobModel
internal import Synchronization

/// A keychain that a daemon has open.
final class DaemonKeychain: OpenKeychain {
    private struct State {
        var status: KeychainStatus?
        var isUnlocked = false
    }

    private let client: DaemonClient
    private let state = Mutex(State())

    init(_ client: DaemonClient) {
        self.client = client
    }

    var service: any KeychainService { client }
    var staysUnlocked: Bool { true }
    /// Others may have unlocked it, or the daemon itself.
    var isUnlocked: Bool { state.withLock { $0.isUnlocked } || known?.lockState == .unlocked }

    /// What a prompt names; asked for when it is needed.
    var token: TokenIdentity {
        known?.token ?? TokenIdentity(label: "", manufacturer: "", model: "", serial: "")
    }

    var configuredPINSource: String? { known?.pinSource }
    var configuredPinentry: String? { known?.pinentry }

    func unlock(_ pin: borrowing SecretBytes, finalTry: Bool) throws(KeychainError) {
        try client.unlock(pin, finalTry: finalTry)
        state.withLock { $0.isUnlocked = true }
    }

    func unlockOnDevice(finalTry: Bool) throws(KeychainError) {
        try client.unlockOnDevice(finalTry: finalTry)
        state.withLock { $0.isUnlocked = true }
    }

    func hasPINPad() throws(KeychainError) -> Bool { known?.hasPINPad ?? false }

    func lock() throws(KeychainError) {
        try client.lock()
        forgetState()
    }

    /// It is locked now.
    private func forgetState() {
        state.withLock { state in
            state.isUnlocked = false
            state.status = nil
        }
    }

    func changePIN(
        from old: borrowing SecretBytes, to new: borrowing SecretBytes, finalTry: Bool
    ) throws(KeychainError) {
        try client.changePIN(from: old, to: new, finalTry: finalTry)
    }

    func changePINOnDevice(finalTry: Bool) throws(KeychainError) { try client.changePINOnDevice(finalTry: finalTry) }

    func unblockOnDevice(destroying items: Int, finalTry: Bool) throws(KeychainError) {
        try client.unblockOnDevice(destroying: items, finalTry: finalTry)
        forgetState()
    }

    func unblock(
        _ new: borrowing SecretBytes, securityOfficerPIN: borrowing SecretBytes, destroying items: Int, finalTry: Bool
    ) throws(KeychainError) {
        try client.unblock(new, securityOfficerPIN: securityOfficerPIN, destroying: items, finalTry: finalTry)
        forgetState()
    }

    func close() {}

    func status() throws(KeychainError) -> KeychainStatus { try client.status() }

    func daemonStatus() throws(KeychainError) -> DaemonStatus? { try client.daemonStatus() }

    func metrics() throws(KeychainError) -> String? { try client.metrics() }

    func accessGroups() throws(KeychainError) -> [AccessGroupUse] { try client.accessGroups() }

    func moveAccessGroup(_ old: AccessGroup, to new: AccessGroup) throws(KeychainError) -> Int {
        try client.moveAccessGroup(old, to: new)
    }

    func verify(_ progress: (Int, Int) -> Void) throws(KeychainError) -> VerificationReport {
        try client.verify(progress)
    }

    func audit(_ query: AuditQuery) throws(KeychainError) -> [AuditRecord] { try client.audit(query) }

    func verifyAudit(_ progress: (Int, Int) -> Void) throws(KeychainError) -> AuditVerification {
        try client.verifyAudit(progress)
    }

    private var known: KeychainStatus? {
        if let status = state.withLock({ $0.status }) { return status }
        // A token that does not answer is told of by what needs it.
        guard let status = try? client.status() else { return nil }
        state.withLock { $0.status = status }
        return status
    }
}
