// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
internal import KeyfobPlatform
internal import Synchronization

/// Tells the journal of each access, as fields that `journalctl` can select by (docs/audit.md, The journal).
package final class JournalAuditSink: AuditSink {
    private let send: @Sendable ([JournalField]) -> Int32
    private let hasFailed = Atomic(false)

    /// - Parameter send: where the fields go.
    package init(send: @escaping @Sendable ([JournalField]) -> Int32 = { Journal.send($0) }) {
        self.send = send
    }

    package func note(_ event: AccessEvent, sequence: UInt64) {
        let fault = send(Self.fields(of: event, sequence: sequence))
        // The log itself has the line; that the journal has not is worth one line, not one for each.
        guard fault != 0, !hasFailed.exchange(true, ordering: .relaxed) else { return }
        Log.shared.warning("the journal does not take lines about accesses: errno \(fault)")
    }

    /// The fields of one access: no value, account or service, and no access group by name.
    package static func fields(of event: AccessEvent, sequence: UInt64) -> [JournalField] {
        let failed = event.result.map { "error \($0.rawValue)" } ?? "ok"
        let who = event.caller.map { $0.unit ?? "uid \($0.uid), pid \($0.pid)" } ?? "keyfob"
        var fields = [
            JournalField("MESSAGE", "\(event.action.rawValue) by \(who): \(failed)"),
            JournalField("MESSAGE_ID", event.action.messageID),
            // syslog(3): a refusal is worth a look, the rest is for the record.
            JournalField("PRIORITY", event.result == nil || event.result == .itemNotFound ? "6" : "5"),
            JournalField("SYSLOG_IDENTIFIER", "keyfob"),
            JournalField("KEYFOB_OPERATION", event.action.rawValue),
            JournalField("KEYFOB_RESULT", String(event.result?.rawValue ?? 0)),
            JournalField("KEYFOB_DURATION_USEC", String(event.microseconds)),
            JournalField("KEYFOB_AUDIT_SEQUENCE", String(sequence)),
        ]
        if let caller = event.caller {
            fields.append(JournalField("KEYFOB_CALLER_UID", String(caller.uid)))
            fields.append(JournalField("KEYFOB_CALLER_GID", String(caller.gid)))
            fields.append(JournalField("KEYFOB_CALLER_PID", String(caller.pid)))
            if let unit = caller.unit { fields.append(JournalField("KEYFOB_CALLER_UNIT", unit)) }
            if let executable = caller.executable { fields.append(JournalField("KEYFOB_CALLER_EXE", executable)) }
        }
        if let itemClass = event.itemClass { fields.append(JournalField("KEYFOB_CLASS", itemClass.code)) }
        if let digest = event.nameDigest { fields.append(JournalField("KEYFOB_NAME_DIGEST", hexadecimal(digest))) }
        if let digest = event.accountDigest {
            fields.append(JournalField("KEYFOB_ACCOUNT_DIGEST", hexadecimal(digest)))
        }
        // A field may be there more than once.
        fields += event.scopes.map { JournalField("KEYFOB_SCOPE", hexadecimal($0)) }
        fields += event.items.map { JournalField("KEYFOB_ITEM", $0.description) }
        if let reason = event.lockReason { fields.append(JournalField("KEYFOB_LOCK_REASON", reason.word)) }
        if event.itemClass != nil {
            fields.append(JournalField("KEYFOB_ITEM_COUNT", String(event.itemCount)))
            fields.append(JournalField("KEYFOB_VALUE", event.givesValue ? "1" : "0"))
        }
        return fields
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension AuditAction {
    /// Names the kind of line in every journal (systemd.journal-fields(7), `MESSAGE_ID`); never changes.
    package var messageID: String {
        switch self {
        case .add: "2e42a149efa70622a344f095cce3f442"
        case .read: "bcdca30807553616f5a6ff586673b4bc"
        case .find: "5db08f76deca3801cb78e6bfe57bb094"
        case .update: "e6d2dd8d9872e5210e77e1edbf4e94b9"
        case .delete: "f001d13cd65ecd56cc7c36e36f68a615"
        case .unlock: "73fdd4bf1e9675062f0da4b917f0d745"
        case .lock: "364e3f1b135a4acbb96a2783984aa8a3"
        case .changePIN: "3b4ab90b96e3333d3fffac68a45da16d"
        case .unblock: "719297e7b277c92ae137dda040914864"
        case .move: "646d6146dca6a212214794ffc3125c96"
        case .verify: "7984845c450a7b4a4a79e824186f9748"
        case .audit: "9db356642f7d70a592236d646f4301f1"
        case .auditVerify: "df5bd9d3fdc53ecc6a9ed0e19b007098"
        case .reload: "7583eecb3f7170768f2cd55bbdadb576"
        case .start: "e843b2b73ffbfd2bb49e850b67f35e2e"
        case .stop: "9d3e561e8a01ee08c7a833442bdb26d6"
        case .checkpoint: "438cbd38fd6c9f7faa9de5dc7f28cdbb"
        case .recovered: "d2ef07b8d76981664aeb1a624768ada6"
        case .lost: "b98ec25ced7fb80107bdbc0b63e87830"
        }
    }
}
