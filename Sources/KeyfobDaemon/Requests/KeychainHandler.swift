// SPDX-License-Identifier: Apache-2.0
package import KeyfobEngine
internal import KeyfobMemory
package import KeyfobModel
package import KeyfobWire

/// Answers the requests of connected programs with one engine; called by any worker.
package final class KeychainHandler: Sendable {
    private let engine: KeychainEngine
    private let owner: OwnerRule
    private let daemonStatus: @Sendable () -> DaemonStatus
    private let triggers: @Sendable () -> LockTriggers
    private let metrics: @Sendable () -> String

    /// - Parameters:
    ///   - daemonStatus: What the daemon says of itself.
    ///   - triggers: By what the keychain is locked without being asked.
    ///   - metrics: Its measurements, as OpenMetrics text.
    package init(
        _ engine: KeychainEngine, owner: OwnerRule, daemonStatus: @escaping @Sendable () -> DaemonStatus,
        triggers: @escaping @Sendable () -> LockTriggers, metrics: @escaping @Sendable () -> String
    ) {
        self.engine = engine
        self.owner = owner
        self.daemonStatus = daemonStatus
        self.triggers = triggers
        self.metrics = metrics
    }

    /// Does what is asked and says what came of it; blocks as the engine does.
    ///
    /// - Parameter progress: Is told how far a long request is, before the answer.
    package func answer(
        _ request: consuming WireRequest, of session: CallerSession, progress: (Int, Int) -> Void
    ) -> WireResponse {
        do throws(KeychainError) { return try perform(request, session, progress) } catch { return .failure(error) }
    }

    private func perform(
        _ request: consuming WireRequest, _ session: CallerSession, _ progress: (Int, Int) -> Void
    ) throws(KeychainError) -> WireResponse {
        switch consume request {
        case .add(let request):
            try RequestRule.check(request)
            try owner.requirePIN(request.credentials, session.caller, .add)
            return .items(try session.service.add(request))
        case .copyMatching(let request):
            try RequestRule.check(request.query, .copyMatching)
            try owner.requirePIN(request.credentials, session.caller, .copyMatching)
            return .items(try session.service.copyMatching(request, progress: progress))
        case .update(let request):
            try RequestRule.check(request)
            try owner.requirePIN(request.credentials, session.caller, .update)
            try session.service.update(request)
            return .done
        case .delete(let request):
            try RequestRule.check(request.query, .delete)
            try session.service.delete(request)
            return .done
        case .isEntitled(let group, let forWriting):
            try RequestRule.check(group, .copyMatching)
            return .flag(try session.service.isEntitled(to: group, forWriting: forWriting))
        case .status:
            var status = try engine.status()
            status.triggers = triggers()
            return .status(status)
        case .daemonStatus: return .daemonStatus(daemonStatus())
        case .unlock(let request):
            try owner.require(session.caller, .unlock)
            switch request.pin {
            case .some(let pin): try administration(session).unlock(pin, finalTry: request.finalTry)
            case .none: try administration(session).unlockOnDevice(finalTry: request.finalTry)
            }
            return .done
        case .lock:
            try owner.require(session.caller, .lock)
            try administration(session).lock()
            return .done
        case .changePIN(let request):
            try owner.require(session.caller, .changePIN)
            switch request.pins {
            case .some(let pins):
                try administration(session).changePIN(from: pins.pin, to: pins.newPIN, finalTry: request.finalTry)
            case .none: try administration(session).changePINOnDevice(finalTry: request.finalTry)
            }
            return .done
        case .unblock(let request):
            try owner.require(session.caller, .unblock)
            switch request.pins {
            case .some(let pins):
                try administration(session).unblock(
                    pins.newPIN, securityOfficerPIN: pins.securityOfficerPIN, destroying: request.items,
                    finalTry: request.finalTry)
            case .none:
                try administration(session).unblockOnDevice(destroying: request.items, finalTry: request.finalTry)
            }
            return .done
        case .accessGroups:
            try owner.require(session.caller, .status)
            return .groups(try engine.accessGroups())
        case .moveAccessGroup(let old, let new):
            try owner.require(session.caller, .update)
            try RequestRule.check(old, .update)
            try RequestRule.check(new, .update)
            return .count(try administration(session).moveAccessGroup(old, to: new))
        case .verify:
            try owner.require(session.caller, .verify)
            return .verification(try administration(session).verify(progress))
        case .metrics:
            try owner.require(session.caller, .status)
            return .text(metrics())
        case .audit(let query):
            try owner.require(session.caller, .audit)
            return .auditRecords(try administration(session).audit(query))
        case .verifyAudit:
            try owner.require(session.caller, .audit)
            return .auditVerification(try administration(session).verifyAudit(progress))
        }
    }

    /// The keychain for an owner whom the audit log names.
    private func administration(_ session: CallerSession) -> any KeychainAdministration {
        engine.administration(for: session.caller)
    }
}
