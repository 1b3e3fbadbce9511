// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport

@testable import KeyfobWire

/// All that a request says, so that two can be compared.
func picture(_ request: borrowing WireRequest) -> [AnyHashable?] {
    switch request {
    case .add(let add):
        return [
            "add", add.itemClass, add.attributes, add.accessGroup, add.isSynchronizable, add.accessibility,
            add.accessControl, copy(add.value), add.returns, add.authenticationUI, picture(add.credentials),
        ]
    case .copyMatching(let match):
        return [
            "copyMatching", match.query, match.limit, match.returns, match.authenticationUI,
            picture(match.credentials),
        ]
    case .update(let update):
        return [
            "update", update.query, update.changes, update.accessGroup, update.isSynchronizable, update.accessibility,
            update.accessControl, copy(update.value), update.authenticationUI,
            picture(update.credentials),
        ]
    case .delete(let delete): return ["delete", delete]
    case .isEntitled(let group, let forWriting): return ["isEntitled", group, forWriting]
    case .status: return ["status"]
    case .daemonStatus: return ["daemonStatus"]
    case .unlock(let unlock): return ["unlock", copy(unlock.pin), unlock.finalTry]
    case .lock: return ["lock"]
    case .accessGroups: return ["accessGroups"]
    case .moveAccessGroup(let old, let new): return ["moveAccessGroup", old, new]
    case .verify: return ["verify"]
    case .metrics: return ["metrics"]
    case .audit(let query): return ["audit", query]
    case .verifyAudit: return ["verifyAudit"]
    case .changePIN(let change):
        switch change.pins {
        case .some(let pins):
            return [
                "changePIN", pins.pin.withBytes { $0.array }, pins.newPIN.withBytes { $0.array }, change.finalTry,
            ]
        case .none: return ["changePIN", change.finalTry]
        }
    case .unblock(let unblock):
        switch unblock.pins {
        case .some(let pins):
            return [
                "unblock", pins.securityOfficerPIN.withBytes { $0.array }, pins.newPIN.withBytes { $0.array },
                unblock.items, unblock.finalTry,
            ]
        case .none: return ["unblock", unblock.items, unblock.finalTry]
        }
    }
}

/// All that an answer says, so that two can be compared.
func picture(_ response: borrowing WireResponse) -> [AnyHashable?] {
    switch response {
    case .failure(let error): return ["failure", error]
    case .done: return ["done"]
    case .items(let result): return ["items", result.items, copy(result.values), result.leftOut]
    case .flag(let flag): return ["flag", flag]
    case .count(let count): return ["count", count]
    case .text(let text): return ["text", text]
    case .progress(let done, let total): return ["progress", done, total]
    case .status(let status): return ["status", status]
    case .daemonStatus(let status): return ["daemonStatus", status]
    case .groups(let groups): return ["groups", groups]
    case .verification(let report): return ["verification", report]
    case .auditRecords(let records): return ["auditRecords", records]
    case .auditVerification(let report): return ["auditVerification", report]
    }
}

private func picture(_ credentials: Credentials?) -> AnyHashable? {
    credentials.map { [copy($0.pin), copy($0.applicationPassword)] as [[UInt8]?] }
}

/// The bytes of a secret; nil if there is none.
private func copy(_ secret: borrowing SecretBytes?) -> [UInt8]? {
    switch secret {
    case .some(let secret): secret.withBytes { $0.array }
    case .none: nil
    }
}
