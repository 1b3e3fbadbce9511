// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
package import KeyfobModel

/// What the daemon answers.
package enum WireResponse: ~Copyable, Sendable {
    case failure(KeychainError)
    case done
    case items(MatchResult)
    case flag(Bool)
    case count(Int)
    case text(String)
    /// How far a long request is; the answer is still to come.
    case progress(done: Int, total: Int)
    case status(KeychainStatus)
    case daemonStatus(DaemonStatus)
    case groups([AccessGroupUse])
    case verification(VerificationReport)
    case auditRecords([AuditRecord])
    case auditVerification(AuditVerification)

    /// The tags of answers that are no type of their own.
    enum Tag {
        static let value: UInt8 = 1
        static let total: UInt8 = 2
    }

    /// The number of the kind of answer.
    package var operation: WireOperation {
        switch self {
        case .failure: .failure
        case .done: .done
        case .items: .items
        case .flag: .flag
        case .count: .count
        case .text: .text
        case .progress: .progress
        case .status: .keychainStatus
        case .daemonStatus: .daemonReport
        case .groups: .groups
        case .verification: .verification
        case .auditRecords: .auditRecords
        case .auditVerification: .auditVerification
        }
    }

    /// The code of a failure, or nil for every other answer.
    package var errorCode: KeychainError.Code? {
        switch self {
        case .failure(let error): error.code
        default: nil
        }
    }

    /// The whole frame, with the request's number.
    ///
    /// - Throws: if there is no secret memory for it.
    package borrowing func encoded(requestID: UInt32) throws(SecretMemoryError) -> SecretBytes {
        var length = LengthSink()
        encode(&length)
        return try Frames.make(operation, requestID: requestID, bodySize: length.count) { encode(&$0) }
    }

    private borrowing func encode<Sink: WireSink>(_ sink: inout Sink) {
        switch self {
        case .failure(let error): error.encode(&sink)
        case .done: break
        case .items(let result): result.encode(&sink)
        case .flag(let flag): sink.field(Tag.value, flag)
        case .count(let count): sink.field(Tag.value, UInt64(clamping: count))
        case .text(let text): sink.field(Tag.value, text)
        case .progress(let done, let total):
            sink.field(Tag.value, UInt64(clamping: done))
            sink.field(Tag.total, UInt64(clamping: total))
        case .status(let status): status.encode(&sink)
        case .daemonStatus(let status): status.encode(&sink)
        case .groups(let groups): for group in groups { group.encode(&sink) }
        case .verification(let report): report.encode(&sink)
        case .auditRecords(let records): AuditRecord.encode(records, &sink)
        case .auditVerification(let report): report.encode(&sink)
        }
    }

    /// The answer that a frame carries.
    ///
    /// A failure is decoded from a frame of any version: that of another version says which one the daemon speaks.
    ///
    /// - Throws: `WireError`, whatever the bytes are.
    package static func decode(_ header: FrameHeader, _ body: RawSpan) throws(WireError) -> WireResponse {
        guard let operation = WireOperation(rawValue: header.operation), !operation.isRequest else {
            throw WireError(at: 0, .unknownOperation)
        }
        guard header.version == WireLimits.version || operation == .failure else {
            throw WireError(at: 4, .badValue)
        }
        switch operation {
        case .failure: return .failure(try KeychainError(body))
        case .done:
            guard body.isEmpty else { throw WireError(at: 0, .trailingBytes) }
            return .done
        case .items: return .items(try MatchResult(body))
        case .flag: return .flag(try WireValue.flag(body, try only(body)))
        case .count: return .count(try WireValue.count(body, try only(body)))
        case .text: return .text(try WireValue.text(body, try only(body)))
        case .progress: return try progress(body)
        case .keychainStatus: return .status(try KeychainStatus(body))
        case .daemonReport: return .daemonStatus(try DaemonStatus(body))
        case .groups: return .groups(try AccessGroupUse.list(body))
        case .verification: return .verification(try VerificationReport(body))
        case .auditRecords: return .auditRecords(try AuditRecord.list(body))
        case .auditVerification: return .auditVerification(try AuditVerification(body))
        case .add, .copyMatching, .update, .delete, .isEntitled, .status, .daemonStatus, .unlock, .lock,
            .accessGroups, .moveAccessGroup, .verify, .metrics, .audit, .verifyAudit,
            .changePIN, .unblock:
            throw WireError(at: 0, .unknownOperation)
        }
    }

    /// Where the one field of an answer is.
    private static func only(_ body: RawSpan) throws(WireError) -> Range<Int> {
        var cursor = WireCursor(body)
        guard let field = try cursor.field(body) else { throw WireError(at: 0, .missingField) }
        guard field.tag == Tag.value else { throw WireError(at: field.range.lowerBound, .unknownField) }
        try cursor.finish()
        return field.range
    }

    private static func progress(_ body: RawSpan) throws(WireError) -> WireResponse {
        var cursor = WireCursor(body)
        var (done, total): (Int?, Int?)
        while let field = try cursor.field(body) {
            switch field.tag {
            case Tag.value: done = try WireValue.count(body, field.range)
            case Tag.total: total = try WireValue.count(body, field.range)
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        guard let done, let total else { throw WireError(at: body.byteCount, .missingField) }
        return .progress(done: done, total: total)
    }
}
