// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
package import KeyfobModel
internal import KeyfobWire

extension DaemonClient: KeychainAdministration {
    package func status() throws(KeychainError) -> KeychainStatus {
        guard case .status(let status) = try ask(.status, isRepeatable: true, .status) else { throw misfit(.status) }
        return status
    }

    package func unlock(_ pin: borrowing SecretBytes, finalTry: Bool) throws(KeychainError) {
        let copy: SecretBytes
        do throws(SecretMemoryError) { copy = try pin.copy() } catch { throw KeychainError(error, .unlock) }
        // A PIN is never sent twice: each time costs a try.
        guard case .done = try ask(.unlock, isRepeatable: false, .unlock(UnlockRequest(pin: copy, finalTry: finalTry)))
        else {
            throw misfit(.unlock)
        }
    }

    package func unlockOnDevice(finalTry: Bool) throws(KeychainError) {
        guard case .done = try ask(.unlock, isRepeatable: false, .unlock(UnlockRequest(pin: nil, finalTry: finalTry)))
        else { throw misfit(.unlock) }
    }

    package func lock() throws(KeychainError) {
        guard case .done = try ask(.lock, isRepeatable: true, .lock) else { throw misfit(.lock) }
    }

    package func accessGroups() throws(KeychainError) -> [AccessGroupUse] {
        guard case .groups(let groups) = try ask(.status, isRepeatable: true, .accessGroups) else {
            throw misfit(.status)
        }
        return groups
    }

    package func moveAccessGroup(_ old: AccessGroup, to new: AccessGroup) throws(KeychainError) -> Int {
        guard case .count(let moved) = try ask(.update, isRepeatable: false, .moveAccessGroup(old, to: new)) else {
            throw misfit(.update)
        }
        return moved
    }

    package func verify(_ progress: (Int, Int) -> Void) throws(KeychainError) -> VerificationReport {
        guard
            case .verification(let report) = try ask(.verify, isRepeatable: true, .verify, progress: progress)
        else { throw misfit(.verify) }
        return report
    }

    package func audit(_ query: AuditQuery) throws(KeychainError) -> [AuditRecord] {
        guard case .auditRecords(let records) = try ask(.audit, isRepeatable: true, .audit(query)) else {
            throw misfit(.audit)
        }
        return records
    }

    package func verifyAudit(_ progress: (Int, Int) -> Void) throws(KeychainError) -> AuditVerification {
        guard
            case .auditVerification(let report) = try ask(
                .audit, isRepeatable: true, .verifyAudit, progress: progress)
        else { throw misfit(.audit) }
        return report
    }

    /// What the daemon says of itself.
    package func daemonStatus() throws(KeychainError) -> DaemonStatus {
        guard case .daemonStatus(let status) = try ask(.status, isRepeatable: true, .daemonStatus) else {
            throw misfit(.status)
        }
        return status
    }

    /// The daemon's measurements as OpenMetrics text; for the owner.
    package func metrics() throws(KeychainError) -> String {
        guard case .text(let text) = try ask(.status, isRepeatable: true, .metrics) else { throw misfit(.status) }
        return text
    }
}
