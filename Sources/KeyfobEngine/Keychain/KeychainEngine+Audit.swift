// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobVault

/// Whether a keychain that is opened records accesses.
package struct AuditPlan: Sendable {
    /// What counts if the configuration does not say.
    package let standard: KeychainConfiguration.Audit
    /// Is told of each line besides the log; nil: nobody.
    package let sink: (any AuditSink)?

    /// By default only a keychain whose configuration asks for it does.
    package init(standard: KeychainConfiguration.Audit = .off, sink: (any AuditSink)? = nil) {
        self.standard = standard
        self.sink = sink
    }
}

extension KeychainEngine {
    /// Puts a line into the audit log, if there is one: for what the daemon does by itself, such as a reload.
    ///
    /// - Throws: the fault of the disk, if the keychain requires the log.
    package func record(_ event: AccessEvent) throws(KeychainError) {
        try auditLog?.didAccess(event)
    }

    /// Makes a checkpoint of the audit log if one is due; for a daemon's clock, every minute or so.
    package func checkpointAuditIfDue() {
        auditLog?.checkpointIfDue()
    }

    /// Does something that concerns the keychain as a whole, and records it.
    ///
    /// What makes the keychain safer is done even if the log is required and cannot be written.
    func recording<R: ~Copyable>(
        _ action: AuditAction, by caller: Caller?, of groups: [AccessGroup] = [], because reason: LockReason? = nil,
        _ body: () throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        guard let auditLog else { return try body() }
        if action != .lock { try auditLog.willAccess() }
        var event = AccessEvent(action, caller: caller)
        if reason != .explicit { event.lockReason = reason }
        event.scopes = groups.compactMap { group in
            let name = ScopeName(itemClass: .genericPassword, group: group, isSynchronizable: false)
            // While the index is locked there is no digest to name the group by, and the event goes without.
            guard let scope = try? core.directory.scope(name, .audit) else { return nil }
            return Array(scope.digest.prefix(AccessTrace.digestSize))
        }
        let start = AuditTime.monotonic()
        let result: R
        do throws(KeychainError) {
            result = try body()
        } catch {
            event.microseconds = AuditTime.monotonic() - start
            event.result = error.code
            try auditLog.didAccess(event)
            throw error
        }
        event.microseconds = AuditTime.monotonic() - start
        try auditLog.didAccess(event)
        return result
    }

    static func openAudit(
        _ home: KeychainHome, _ configuration: KeychainConfiguration, _ plan: AuditPlan, _ core: KeychainCore
    ) throws(KeychainError) -> AuditLog? {
        let audit = configuration.audit ?? plan.standard
        guard audit != .off else { return nil }
        do throws(KeychainError) {
            return try AuditLog(
                AuditFiles(folder: home.audit), keychain: core.vault.keychain, keeper: KeychainCheckpoints(core: core),
                isRequired: audit == .require, sink: plan.sink)
        } catch {
            guard audit == .on else { throw error }
            let number = error.code.rawValue
            Log.shared.error(
                "\(home.audit) cannot be used: accesses are not recorded: error \(number) of docs/errors.md")
            return nil
        }
    }

    /// The last line and its checkpoint.
    func endAudit() {
        guard let auditLog else { return }
        // It was logged, and there is nobody to refuse anything to.
        try? auditLog.didAccess(AccessEvent(.stop))
        auditLog.close()
    }
}
