// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport

@testable import KeyfobWire

/// Random parts of the audit log.
extension SeededRandom {
    mutating func auditQuery() -> AuditQuery {
        let item = maybe { random in
            AuditQuery.Item(name: random.wiped(), account: random.maybe { $0.wiped() })
        }
        return AuditQuery(
            since: maybe { Double($0.next() % 1_000_000) / 8 }, item: item, caller: maybe { $0.text() }, after: next(),
            limit: below(WireLimits.auditRecords))
    }

    mutating func auditRecord() -> AuditRecord {
        AuditRecord(
            sequence: next(), time: Double(next() % 1_000_000) / 8, event: event(),
            items: (0..<below(4)).map { _ in
                AuditRecord.Item(uuid: uuid(), name: maybe { $0.wiped() }, account: maybe { $0.wiped() })
            }, groups: (0..<below(3)).map { _ in group() }, note: maybe { $0.text() })
    }

    mutating func auditVerification() -> AuditVerification {
        AuditVerification(
            lines: count(), first: next(), last: next(), checkpoints: count(), unsealed: count(),
            findings: (0..<below(4)).map { _ in
                AuditVerification.Finding(
                    one(of: AuditVerification.Fault.allCases), sequence: next(), last: next(), file: text(),
                    offset: count())
            })
    }

    private mutating func event() -> AccessEvent {
        AccessEvent(
            one(of: AuditAction.allCases), caller: maybe { $0.caller() }, itemClass: maybe { $0.itemClass() },
            nameDigest: maybe { $0.digest() }, accountDigest: maybe { $0.digest() },
            scopes: (0..<below(4)).map { _ in digest() }, items: (0..<below(4)).map { _ in uuid() },
            itemCount: count(), givesValue: flag(),
            result: maybe { KeychainError.Code(rawValue: UInt16(truncatingIfNeeded: $0.next())) },
            microseconds: Int64(bitPattern: next()), lockReason: maybe { $0.one(of: LockReason.allCases) })
    }

    private mutating func caller() -> Caller {
        Caller(
            uid: UInt32(truncatingIfNeeded: next()), gid: UInt32(truncatingIfNeeded: next()),
            groups: (0..<below(4)).map { _ in UInt32(truncatingIfNeeded: next()) },
            pid: Int32(truncatingIfNeeded: next()), startTime: next(), executable: maybe { $0.text() },
            unit: maybe { $0.text() })
    }

    private mutating func digest() -> [UInt8] { (0..<16).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
