// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
package import KeyfobModel

/// What a program asks of the daemon.
package enum WireRequest: ~Copyable, Sendable {
    case add(AddRequest)
    case copyMatching(MatchRequest)
    case update(UpdateRequest)
    case delete(DeleteRequest)
    case isEntitled(AccessGroup, forWriting: Bool)
    case status
    case daemonStatus
    case unlock(UnlockRequest)
    case lock
    case accessGroups
    case moveAccessGroup(AccessGroup, to: AccessGroup)
    case verify
    case metrics
    case audit(AuditQuery)
    case verifyAudit
    case changePIN(ChangePINRequest)
    case unblock(UnblockRequest)

    /// The tags of requests that are no type of their own.
    enum Tag {
        static let group: UInt8 = 1
        static let forWriting: UInt8 = 2
        static let newGroup: UInt8 = 2
    }

    /// The number of what is asked for.
    package var operation: WireOperation {
        switch self {
        case .add: .add
        case .copyMatching: .copyMatching
        case .update: .update
        case .delete: .delete
        case .isEntitled: .isEntitled
        case .status: .status
        case .daemonStatus: .daemonStatus
        case .unlock: .unlock
        case .lock: .lock
        case .accessGroups: .accessGroups
        case .moveAccessGroup: .moveAccessGroup
        case .verify: .verify
        case .metrics: .metrics
        case .audit: .audit
        case .verifyAudit: .verifyAudit
        case .changePIN: .changePIN
        case .unblock: .unblock
        }
    }

    /// The whole frame.
    ///
    /// - Throws: if there is no secret memory for it.
    package borrowing func encoded(requestID: UInt32) throws(SecretMemoryError) -> SecretBytes {
        var length = LengthSink()
        encode(&length)
        return try Frames.make(operation, requestID: requestID, bodySize: length.count) { encode(&$0) }
    }

    private borrowing func encode<Sink: WireSink>(_ sink: inout Sink) {
        switch self {
        case .add(let request): request.encode(&sink)
        case .copyMatching(let request): request.encode(&sink)
        case .update(let request): request.encode(&sink)
        case .delete(let request): request.encode(&sink)
        case .isEntitled(let group, let forWriting):
            sink.field(Tag.group, group.utf8)
            sink.field(Tag.forWriting, forWriting)
        case .unlock(let request): request.encode(&sink)
        case .moveAccessGroup(let old, let new):
            sink.field(Tag.group, old.utf8)
            sink.field(Tag.newGroup, new.utf8)
        case .audit(let query): query.encode(&sink)
        case .changePIN(let request): request.encode(&sink)
        case .unblock(let request): request.encode(&sink)
        // The others say all by their number.
        default: break
        }
    }

    /// The request that a frame carries.
    ///
    /// - Parameters:
    ///   - header: Its header, of this version.
    ///   - body: What follows the header.
    /// - Throws: `WireError`, whatever the bytes are.
    package static func decode(_ header: FrameHeader, _ body: RawSpan) throws(WireError) -> WireRequest {
        guard header.version == WireLimits.version else { throw WireError(at: 4, .badValue) }
        guard let operation = WireOperation(rawValue: header.operation), operation.isRequest else {
            throw WireError(at: 0, .unknownOperation)
        }
        switch operation {
        case .add: return .add(try AddRequest(body))
        case .copyMatching: return .copyMatching(try MatchRequest(body))
        case .update: return .update(try UpdateRequest(body))
        case .delete: return .delete(try DeleteRequest(body))
        case .isEntitled: return try isEntitled(body)
        case .unlock: return .unlock(try UnlockRequest(body))
        case .moveAccessGroup: return try moveAccessGroup(body)
        case .status: return try empty(body, .status)
        case .daemonStatus: return try empty(body, .daemonStatus)
        case .lock: return try empty(body, .lock)
        case .accessGroups: return try empty(body, .accessGroups)
        case .verify: return try empty(body, .verify)
        case .metrics: return try empty(body, .metrics)
        case .audit: return .audit(try AuditQuery(body))
        case .verifyAudit: return try empty(body, .verifyAudit)
        case .changePIN: return .changePIN(try ChangePINRequest(body))
        case .unblock: return .unblock(try UnblockRequest(body))
        case .failure, .done, .items, .flag, .count, .text, .progress, .keychainStatus, .daemonReport, .groups,
            .verification, .auditRecords, .auditVerification:
            throw WireError(at: 0, .unknownOperation)
        }
    }

    private static func empty(_ body: RawSpan, _ request: consuming WireRequest) throws(WireError) -> WireRequest {
        guard body.isEmpty else { throw WireError(at: 0, .trailingBytes) }
        return request
    }

    private static func isEntitled(_ body: RawSpan) throws(WireError) -> WireRequest {
        var cursor = WireCursor(body)
        var (group, forWriting): (AccessGroup?, Bool?)
        while let field = try cursor.field(body) {
            switch field.tag {
            case Tag.group: group = AccessGroup(utf8: try WireValue.wiped(body, field.range))
            case Tag.forWriting: forWriting = try WireValue.flag(body, field.range)
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        guard let group, let forWriting else { throw WireError(at: body.byteCount, .missingField) }
        return .isEntitled(group, forWriting: forWriting)
    }

    private static func moveAccessGroup(_ body: RawSpan) throws(WireError) -> WireRequest {
        var cursor = WireCursor(body)
        var (old, new): (AccessGroup?, AccessGroup?)
        while let field = try cursor.field(body) {
            switch field.tag {
            case Tag.group: old = AccessGroup(utf8: try WireValue.wiped(body, field.range))
            case Tag.newGroup: new = AccessGroup(utf8: try WireValue.wiped(body, field.range))
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        guard let old, let new else { throw WireError(at: body.byteCount, .missingField) }
        return .moveAccessGroup(old, to: new)
    }
}
