// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobStore
internal import KeyfobVault

extension KeychainEngine {
    /// The lines of the audit log that fit (`KeychainAdministration.audit`), whether or not accesses are recorded now.
    ///
    /// - Parameter caller: who asked, for the log itself; nil: this process.
    package func audit(_ query: AuditQuery, by caller: Caller? = nil) throws(KeychainError) -> [AuditRecord] {
        // Pages of one question are one access.
        guard query.after == 0 else { return try auditRecords(query) }
        return try recording(.audit, by: caller) { () throws(KeychainError) in try auditRecords(query) }
    }

    /// Reads the whole audit log and has the token open its checkpoints (`KeychainAdministration.verifyAudit`).
    ///
    /// - Parameter caller: who asked, for the log itself; nil: this process.
    package func verifyAudit(
        by caller: Caller? = nil, _ progress: (Int, Int) -> Void = { _, _ in }
    ) throws(KeychainError) -> AuditVerification {
        try recording(.auditVerify, by: caller) { () throws(KeychainError) in try verifyLog(progress) }
    }

    private func auditRecords(_ query: AuditQuery) throws(KeychainError) -> [AuditRecord] {
        var reader = try AuditReader(query, try snapshot(), core)
        return try reader.records()
    }

    private func verifyLog(_ progress: (Int, Int) -> Void) throws(KeychainError) -> AuditVerification {
        // Before the files are looked at: they hold all that the store vouches for then.
        var anchor: AuditCheckpoint?
        var isForged = false
        if let sealed = try core.store.auditCheckpoint() {
            anchor = try core.vault.openCheckpoint(sealed)
            isForged = anchor == nil
        }
        let snapshot = try snapshot()
        let vault = core.vault
        var verifier = AuditVerifier(
            origin: AuditLine.origin(vault.keychain), anchor: anchor,
            open: { (sealed) throws(KeychainError) in try vault.openCheckpoint(sealed) })
        var end = AuditVerifier.Place(file: AuditFiles.current, offset: 0)
        do {
            let all = try snapshot.size()
            var done = 0
            for name in snapshot.names {
                guard var reader = try snapshot.reader(name) else { continue }
                while let piece = try reader.next() {
                    let place = AuditVerifier.Place(file: name, offset: piece.offset)
                    try verifier.take(piece.bytes, isWhole: piece.isWhole, at: place)
                    if piece.offset / Self.step != (piece.offset + piece.bytes.count) / Self.step {
                        progress(done + piece.offset, all)
                    }
                }
                done += reader.end
                end = AuditVerifier.Place(file: name, offset: reader.end)
            }
            progress(all, all)
        } catch let error as KeychainError {
            throw error
        } catch let error as PosixError {
            throw KeychainError(error, .audit, path: home.audit)
        } catch {
            throw KeychainError(.internalError, .audit)
        }
        var result = verifier.finish(at: end)
        if isForged {
            result.findings.append(.init(.forged, sequence: result.last, file: "keychain.db", offset: 0))
        }
        return result
    }

    /// Bytes between two reports of progress.
    private static var step: Int { 1 << 20 }

    private func snapshot() throws(KeychainError) -> AuditSnapshot {
        let files = AuditFiles(folder: home.audit)
        do throws(PosixError) {
            guard let auditLog else { return try AuditSnapshot(files) }
            return try auditLog.snapshot(files)
        } catch {
            throw KeychainError(error, .audit, path: home.audit)
        }
    }
}
