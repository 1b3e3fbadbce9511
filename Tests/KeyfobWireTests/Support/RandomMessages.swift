// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport

@testable import KeyfobWire

/// Random messages.
extension SeededRandom {
    mutating func request(_ operation: WireOperation) throws -> WireRequest {
        switch operation {
        case .add:
            var add = AddRequest(
                itemClass: itemClass(), attributes: attributes(), accessGroup: maybe { $0.group() },
                isSynchronizable: flag(), accessibility: maybe { $0.accessibility() },
                accessControl: maybe { $0.control() }, value: flag() ? try secret() : nil, returns: returns())
            add.authenticationUI = authenticationUI()
            add.credentials = try credentials()
            return .add(add)
        case .copyMatching:
            var match = MatchRequest(
                query(), limit: flag() ? .all : .count(count()), returns: returns(),
                authenticationUI: authenticationUI())
            match.credentials = try credentials()
            return .copyMatching(match)
        case .update:
            var update = UpdateRequest(
                query(), changes: attributes(), accessGroup: maybe { $0.group() },
                isSynchronizable: maybe { $0.flag() }, accessibility: maybe { $0.accessibility() },
                accessControl: maybe { $0.control() }, value: flag() ? try secret() : nil,
                authenticationUI: authenticationUI())
            update.credentials = try credentials()
            return .update(update)
        case .delete: return .delete(DeleteRequest(query()))
        case .isEntitled: return .isEntitled(group(), forWriting: flag())
        case .daemonStatus: return .daemonStatus
        case .unlock:
            guard flag() else { return .unlock(UnlockRequest(pin: nil, finalTry: flag())) }
            return .unlock(UnlockRequest(pin: try SecretBytes(copying: bytes(upTo: 1024)), finalTry: flag()))
        case .lock: return .lock
        case .accessGroups: return .accessGroups
        case .moveAccessGroup: return .moveAccessGroup(group(), to: group())
        case .verify: return .verify
        case .metrics: return .metrics
        case .audit: return .audit(auditQuery())
        case .verifyAudit: return .verifyAudit
        case .changePIN:
            guard flag() else { return .changePIN(ChangePINRequest(nil, finalTry: flag())) }
            let pins = ChangePINRequest.PINs(
                pin: try SecretBytes(copying: bytes(upTo: 1024)), newPIN: try SecretBytes(copying: bytes(upTo: 1024)))
            return .changePIN(ChangePINRequest(pins, finalTry: flag()))
        case .unblock:
            guard flag() else { return .unblock(UnblockRequest(nil, items: count(), finalTry: flag())) }
            let pins = UnblockRequest.PINs(
                securityOfficerPIN: try SecretBytes(copying: bytes(upTo: 1024)),
                newPIN: try SecretBytes(copying: bytes(upTo: 1024)))
            return .unblock(UnblockRequest(pins, items: count(), finalTry: flag()))
        default: return .status
        }
    }

    mutating func response(_ operation: WireOperation) throws -> WireResponse {
        switch operation {
        case .failure: return .failure(error())
        case .items: return .items(try matchResult())
        case .flag: return .flag(flag())
        case .count: return .count(count())
        case .text: return .text(text())
        case .progress: return .progress(done: count(), total: count())
        case .keychainStatus: return .status(status())
        case .daemonReport:
            return .daemonStatus(
                DaemonStatus(
                    socket: text(), uptime: Double(next()) / 1000, connections: count(), queued: count(),
                    stuckWorkers: count()))
        case .groups: return .groups((0..<below(6)).map { _ in AccessGroupUse(group: group(), items: count()) })
        case .verification: return .verification(report())
        case .auditRecords: return .auditRecords((0..<below(5)).map { _ in auditRecord() })
        case .auditVerification: return .auditVerification(auditVerification())
        default: return .done
        }
    }

    private mutating func matchResult() throws -> MatchResult {
        let values: SecretBytes? = flag() ? try secret() : nil
        let size: Int? =
            switch values {
            case .some(let values): values.count
            case .none: nil
            }
        let items = (0..<below(6)).map { _ in
            var range: Range<Int>?
            if let size, flag() {
                let start = below(size + 1)
                range = start..<(start + below(size - start + 1))
            }
            return ItemResult(
                itemClass: itemClass(), attributes: maybe { $0.attributes() }, accessControl: maybe { $0.control() },
                persistentReference: maybe { $0.reference() }, value: range)
        }
        return MatchResult(items: items, values: values, leftOut: count())
    }

    private mutating func credentials() throws -> Credentials? {
        let (pin, password) = (flag(), flag())
        guard pin || password else { return nil }
        return Credentials(
            pin: pin ? try SecretBytes(copying: bytes(upTo: 1024)) : nil,
            applicationPassword: password ? try SecretBytes(copying: bytes(upTo: 1024)) : nil)
    }

    private mutating func status() -> KeychainStatus {
        let keys = (0..<below(8)).map { _ in
            KeychainStatus.Key(
                id: ClassKeyID(accessibility(), generation: UInt32(truncatingIfNeeded: next())), suite: .aesGCM,
                residence: one(of: [.tokenPrivate, .tokenPublic, .unwrappedSession, .copiedSession]), isUsable: flag(),
                items: count(), seals: Int64(bitPattern: next()), needsRotation: flag())
        }
        var status = KeychainStatus(
            home: text(), keychain: uuid(), lockState: one(of: [.beforeFirstUnlock, .unlocked, .locked, .noToken]),
            token: token(), tokenURI: text(), absence: maybe { $0.error() }, triesLeft: triesLeft(),
            isSoftwareToken: flag(),
            pinSource: maybe { $0.text() }, pinentry: maybe { $0.text() }, keys: keys, items: count(),
            process: process(), lastLock: maybe { $0.lastLock() },
            triggers: maybe {
                LockTriggers(
                    idleSeconds: $0.maybe { $0.below(1 << 40) + 1 }, suspend: $0.one(of: LockTriggers.Suspend.allCases))
            }, presence: maybe { $0.one(of: [.enforced, .refused]) },
            hasPINPad: flag(), lacksUserPIN: flag())
        status.isModuleIsolated = flag()
        status.itemKeyCache = maybe { $0.itemKeyCache() }
        return status
    }

    private mutating func itemKeyCache() -> ItemKeyCacheStatus {
        guard let limit = ItemKeyCacheLimit(keys: below(16384) + 1, seconds: below(86400) + 1) else {
            preconditionFailure("both are in their ranges")
        }
        return ItemKeyCacheStatus(limit: limit, held: count(), hits: count(), misses: count())
    }

    private mutating func lastLock() -> LastLock {
        LastLock(one(of: LockReason.allCases), time: one(of: [0, -0.5, 1e300, Double(next())]))
    }

    private mutating func process() -> ProcessStatus {
        ProcessStatus(
            pid: int32(), uid: UInt32(truncatingIfNeeded: next()), version: text(), isDumpable: flag(),
            coreLimit: next(), lockedBytes: count(), unlockedBytes: count(), lockedMemoryLimit: next(),
            requiresLockedMemory: flag(), umask: UInt32(truncatingIfNeeded: next()), hasNoNewPrivileges: flag(),
            printsBacktraces: flag())
    }

    private mutating func report() -> VerificationReport {
        let findings = (0..<below(5)).map { _ in
            VerificationReport.Finding(row: Int64(bitPattern: next()), item: uuid(), column: text(), fault: text())
        }
        return VerificationReport(verified: count(), locked: count(), findings: findings)
    }
}
