// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel

@testable import KeyfobWire

/// Messages by name, one of each kind at least; `Tests/Fixtures/wire` holds the frame of each.
enum Samples {
    private static let group = AccessGroup("team.example")
    private static let uuid = ItemUUID((1...16).map { $0 }) ?? .zero
    private static let reference = PersistentReference(itemClass: .genericPassword, uuid: uuid)
    private static let control = AccessControl(protection: .whenUnlocked, flags: 0x4000_0001, hasRules: true)
    private static let token = TokenIdentity(label: "keyfob", manufacturer: "Example", model: "v1", serial: "0123")
    private static let attributes: AttributeSet = [
        .account: .text("anna"), .generic: .data(WipedBytes([0, 255])), .type: .number(-2), .creationDate: .date(0.5),
    ]
    private static let query = ItemQuery(
        itemClass: .internetPassword, attributes: [.server: .text("db.example.com")], accessGroup: group,
        synchronizable: .any, accessibility: .always, persistentReference: reference,
        hostOrSubdomain: WipedBytes(utf8: "example.com"),
        textFilters: [
            TextFilter(nil, .contains, WipedBytes(utf8: "Mail"), ignoresCase: true),
            TextFilter(.label, .startsWith, WipedBytes(utf8: "A")),
        ])
    private static let digest: [UInt8] = (16..<32).map { $0 }

    static let requestNames = [
        "add", "add-bare", "copy-matching", "copy-matching-all", "update", "update-bare", "delete", "is-entitled",
        "status", "daemon-status", "unlock", "unlock-on-device", "lock", "access-groups", "move-access-group", "verify",
        "metrics",
        "audit", "audit-bare", "verify-audit", "change-pin", "change-pin-on-device", "unblock",
        "unblock-on-device", "add-credentials", "copy-matching-credentials", "update-credentials",
    ]

    static func request(_ name: String) throws -> WireRequest? {
        switch name {
        case "add":
            .add(
                AddRequest(
                    itemClass: .genericPassword, attributes: attributes, accessGroup: group, isSynchronizable: true,
                    accessibility: .afterFirstUnlock, accessControl: control,
                    value: try SecretBytes(copying: Array("secret".utf8)), returns: [.data, .persistentReference]))
        case "add-bare": .add(AddRequest(itemClass: .genericPassword, attributes: [:]))
        case "copy-matching":
            .copyMatching(
                MatchRequest(query, limit: .count(3), returns: [.attributes, .reference], authenticationUI: .skip))
        case "copy-matching-all": .copyMatching(MatchRequest(ItemQuery(itemClass: .genericPassword), limit: .all))
        case "update":
            .update(
                UpdateRequest(
                    query, changes: attributes, accessGroup: group, isSynchronizable: false,
                    accessibility: .whenPasscodeSetThisDeviceOnly, accessControl: control,
                    value: try SecretBytes(count: 0), authenticationUI: .fail))
        case "update-bare": .update(UpdateRequest(ItemQuery(itemClass: .genericPassword)))
        case "delete": .delete(DeleteRequest(query))
        case "is-entitled": .isEntitled(group, forWriting: true)
        case "status": .status
        case "daemon-status": .daemonStatus
        case "unlock-on-device": .unlock(UnlockRequest(pin: nil, finalTry: false))
        case "unlock": .unlock(UnlockRequest(pin: try SecretBytes(copying: Array("123456".utf8)), finalTry: true))
        case "lock": .lock
        case "access-groups": .accessGroups
        case "move-access-group": .moveAccessGroup(group, to: AccessGroup("team.other"))
        case "verify": .verify
        case "metrics": .metrics
        case "audit":
            .audit(
                AuditQuery(
                    since: 1.5, item: .init(name: WipedBytes(utf8: "mail"), account: WipedBytes(utf8: "ada")),
                    caller: "shop.service", after: 7, limit: 100))
        case "audit-bare": .audit(AuditQuery())
        case "verify-audit": .verifyAudit
        case "change-pin":
            .changePIN(
                ChangePINRequest(
                    .init(
                        pin: try SecretBytes(copying: Array("123456".utf8)),
                        newPIN: try SecretBytes(copying: Array("654321".utf8))), finalTry: false))
        case "change-pin-on-device": .changePIN(ChangePINRequest(nil, finalTry: true))
        case "unblock-on-device": .unblock(UnblockRequest(nil, items: 3, finalTry: false))
        case "unblock":
            .unblock(
                UnblockRequest(
                    .init(
                        securityOfficerPIN: try SecretBytes(copying: Array("12345678".utf8)),
                        newPIN: try SecretBytes(copying: Array("654321".utf8))), items: 3, finalTry: true))
        case "add-credentials", "copy-matching-credentials", "update-credentials": try withCredentials(name)
        default: nil
        }
    }

    /// The requests with every field, credentials too.
    private static func withCredentials(_ name: String) throws -> WireRequest {
        let credentials = Credentials(
            pin: try SecretBytes(copying: Array("123456".utf8)),
            applicationPassword: try SecretBytes(copying: Array("open sesame".utf8)))
        switch name {
        case "add-credentials":
            var add = AddRequest(
                itemClass: .genericPassword, attributes: attributes, accessGroup: group, isSynchronizable: true,
                accessibility: .afterFirstUnlock, accessControl: control,
                value: try SecretBytes(copying: Array("secret".utf8)), returns: [.data, .persistentReference])
            add.authenticationUI = .fail
            add.credentials = credentials
            return .add(add)
        case "copy-matching-credentials":
            var match = MatchRequest(query, limit: .count(3), returns: [.attributes, .reference])
            match.credentials = credentials
            return .copyMatching(match)
        default:
            var update = UpdateRequest(
                query, changes: attributes, accessGroup: group, isSynchronizable: false,
                accessibility: .whenPasscodeSetThisDeviceOnly, accessControl: control,
                value: try SecretBytes(count: 0), authenticationUI: .fail)
            update.credentials = credentials
            return .update(update)
        }
    }

    static let responseNames = [
        "failure", "failure-item", "failure-cause", "failure-version", "done", "items", "items-empty", "flag", "count",
        "text", "progress", "keychain-status", "keychain-status-locked", "keychain-status-absent",
        "keychain-status-all", "daemon-report",
        "groups", "verification", "audit-records", "audit-records-lock", "audit-verification", "items-left-out",
    ]

    static func response(_ name: String) throws -> WireResponse? {
        switch name {
        case "failure":
            .failure(
                KeychainError(.pinIncorrect, .unlock, subject: .token(token), remedy: .enterCorrectPIN(triesLeft: .few))
            )
        case "failure-item": .failure(KeychainError(.itemNotFound, .copyMatching, subject: .item(reference)))
        case "failure-cause":
            .failure(
                KeychainError(
                    .tokenFailed, .add, subject: .classKey(.always),
                    cause: .pkcs11(function: "C_Sign", returnValue: 0x30),
                    remedy: .choosePINLength(minimum: 4, maximum: 8)))
        case "failure-version": .failure(KeychainError(.protocolMismatch, .connect, remedy: .updateKeyfob))
        case "done": .done
        case "items":
            .items(
                MatchResult(
                    items: [
                        ItemResult(
                            itemClass: .genericPassword, attributes: attributes, accessControl: control,
                            persistentReference: reference, value: 0..<6),
                        ItemResult(itemClass: .internetPassword, value: 6..<6),
                    ], values: try SecretBytes(copying: Array("secret".utf8))))
        case "items-left-out":
            .items(
                MatchResult(
                    items: [ItemResult(itemClass: .genericPassword)], values: try SecretBytes(count: 0), leftOut: 2))
        case "items-empty": .items(MatchResult(items: []))
        case "flag": .flag(true)
        case "count": .count(7)
        case "text": .text("keyfob_requests_total 7\n")
        case "progress": .progress(done: 3, total: 9)
        case "keychain-status": .status(status(.unlocked))
        case "keychain-status-locked":
            .status(
                status(
                    .locked, lastLock: LastLock(.suspend, time: 2.5),
                    triggers: LockTriggers(idleSeconds: 900, suspend: .watched)))
        case "keychain-status-absent": .status(absent())
        case "keychain-status-all":
            .status(
                with(absent(lacksUserPIN: true)) {
                    $0.isModuleIsolated = true
                    $0.itemKeyCache = ItemKeyCacheLimit(keys: 256, seconds: 60).map {
                        ItemKeyCacheStatus(limit: $0, held: 7, hits: 40, misses: 9)
                    }
                })
        case "daemon-report":
            .daemonStatus(
                DaemonStatus(socket: "/run/keyfob/s", uptime: 12.5, connections: 3, queued: 2, stuckWorkers: 1))
        case "groups":
            .groups([AccessGroupUse(group: group, items: 2), AccessGroupUse(group: AccessGroup("b"), items: 1)])
        case "verification":
            .verification(
                VerificationReport(
                    verified: 8, locked: 1,
                    findings: [.init(row: 5, item: uuid, column: "value", fault: "does not open")]))
        case "audit-records": .auditRecords([record])
        case "audit-records-lock":
            .auditRecords([AuditRecord(sequence: 13, time: 2.5, event: AccessEvent(.lock, lockReason: .idle))])
        case "audit-verification":
            .auditVerification(
                AuditVerification(
                    lines: 9, first: 1, last: 9, checkpoints: 2, unsealed: 3,
                    findings: [.init(.changed, sequence: 4, last: 5, file: "audit.log", offset: 77)]))
        default: nil
        }
    }

    private static func with<T>(_ value: T, _ change: (inout T) -> Void) -> T {
        var value = value
        change(&value)
        return value
    }

    private static let record = AuditRecord(
        sequence: 12, time: 2.5,
        event: AccessEvent(
            .read,
            caller: Caller(
                uid: 1000, gid: 100, groups: [4, 27], pid: 77, startTime: 5, executable: "/usr/bin/shop",
                unit: "shop.service"), itemClass: .genericPassword, nameDigest: digest, accountDigest: digest,
            scopes: [digest], items: [uuid], itemCount: 1, givesValue: true, result: .itemNotFound, microseconds: 42),
        items: [.init(uuid: uuid, name: WipedBytes(utf8: "mail"), account: WipedBytes(utf8: "ada"))], groups: [group],
        note: "n")

    /// With every optional field, but for what is told by being there.
    private static func absent(lacksUserPIN: Bool = false) -> KeychainStatus {
        with(
            status(
                .noToken, lastLock: LastLock(.tokenRemoved, time: 2.5),
                triggers: LockTriggers(idleSeconds: 900, suspend: .watched),
                absence: KeychainError(
                    .notAvailable, .status, cause: .pkcs11(function: "C_GetTokenInfo", returnValue: 0x32),
                    remedy: .insertToken), hasPINPad: true, lacksUserPIN: lacksUserPIN)
        ) { $0.presence = .enforced }
    }

    private static func status(
        _ lockState: LockState, lastLock: LastLock? = nil, triggers: LockTriggers? = nil,
        absence: KeychainError? = nil, hasPINPad: Bool = false, lacksUserPIN: Bool = false
    ) -> KeychainStatus {
        KeychainStatus(
            home: "/var/lib/keyfob", keychain: uuid, lockState: lockState, token: token,
            tokenURI: "pkcs11:token=keyfob", absence: absence,
            triesLeft: .unknown, isSoftwareToken: true, pinSource: "file", pinentry: "/usr/bin/pinentry",
            keys: [
                .init(
                    id: ClassKeyID(.whenUnlocked, generation: 2), suite: .aesGCM, residence: .tokenPrivate,
                    isUsable: true,
                    items: 4, seals: 9, needsRotation: false)
            ], items: 4,
            process: ProcessStatus(
                pid: 42, uid: 999, version: "0.1.0", isDumpable: false, coreLimit: 0, lockedBytes: 65536,
                unlockedBytes: 0,
                lockedMemoryLimit: .max, requiresLockedMemory: true, umask: 0o77, hasNoNewPrivileges: true,
                printsBacktraces: false), lastLock: lastLock, triggers: triggers, hasPINPad: hasPINPad,
            lacksUserPIN: lacksUserPIN)
    }

    /// The frame of a sample.
    static func frame(_ name: String) throws -> [UInt8]? {
        if let request = try request(name) { return try bytes(request) }
        if let response = try response(name) { return try bytes(response) }
        return nil
    }
}
