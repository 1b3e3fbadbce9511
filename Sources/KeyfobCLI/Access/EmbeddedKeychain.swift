// SPDX-License-Identifier: Apache-2.0
internal import KeyfobEngine
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWords

/// A keychain whose engine runs in this process.
final class EmbeddedKeychain: OpenKeychain {
    private let engine: KeychainEngine
    let service: any KeychainService
    private(set) var isUnlocked = false

    init(_ engine: KeychainEngine) {
        self.engine = engine
        service = engine.service(for: .current())
    }

    var token: TokenIdentity { engine.token }
    var configuredPINSource: String? { engine.configuredPINSource }
    var configuredPinentry: String? { engine.configuration.pinentry }
    var staysUnlocked: Bool { false }

    func unlock(_ pin: borrowing SecretBytes, finalTry: Bool) throws(KeychainError) {
        try engine.unlock(pin, finalTry: finalTry, isBrief: true)
        isUnlocked = true
    }

    func lock() throws(KeychainError) {
        try engine.lock()
        isUnlocked = false
    }

    func close() { engine.close() }

    func status() throws(KeychainError) -> StatusReport {
        let status = try engine.status()
        return StatusReport(
            folder: status.home, uuid: status.keychain.description, token: status.token,
            state: Self.state(status), triesLeft: status.triesLeft, items: status.items,
            classKeys: status.keys.map { key in
                StatusReport.ClassKey(
                    accessibility: key.id.accessibility, isUsable: key.isUsable, suite: Self.name(key.suite),
                    residence: key.residence.name, generation: key.id.generation, seals: UInt64(clamping: key.seals))
            })
    }

    func accessGroups() throws(KeychainError) -> [GroupReport] {
        try engine.accessGroups().map { GroupReport(name: $0.group.name, items: $0.items) }
    }

    func moveAccessGroup(_ old: AccessGroup, to new: AccessGroup) throws(KeychainError) -> Int {
        try engine.moveAccessGroup(old, to: new)
    }

    func verify(_ progress: (Int, Int) -> Void) throws(KeychainError) -> VerifyReport {
        let report = try engine.verify(progress)
        return VerifyReport(
            verified: report.verified, locked: report.locked,
            findings: report.findings.map { finding in
                VerifyReport.Finding(
                    row: finding.row, item: finding.item, column: finding.column, fault: finding.fault)
            })
    }

    func audit(_ query: AuditQuery) throws(KeychainError) -> [AuditRecord] {
        try engine.audit(query, by: .current())
    }

    func verifyAudit(_ progress: (Int, Int) -> Void) throws(KeychainError) -> AuditVerification {
        try engine.verifyAudit(by: .current(), progress)
    }

    private static func state(_ status: KeychainStatus) -> StatusReport.State {
        switch status.lockState {
        case .unlocked: .unlocked
        case .beforeFirstUnlock: status.triesLeft == .none ? .pinBlocked : .beforeFirstUnlock
        case .locked: status.triesLeft == .none ? .pinBlocked : .locked
        }
    }

    private static func name(_ suite: Suite) -> String {
        switch suite {
        case .aesGCM: "aes-gcm"
        }
    }
}
