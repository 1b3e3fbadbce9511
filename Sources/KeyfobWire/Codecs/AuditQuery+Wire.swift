// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

extension AuditQuery {
    enum Tag {
        static let since: UInt8 = 1
        static let itemName: UInt8 = 2
        static let itemAccount: UInt8 = 3
        static let caller: UInt8 = 4
        static let after: UInt8 = 5
        static let limit: UInt8 = 6
    }

    func encode<Sink: WireSink>(_ sink: inout Sink) {
        if let since { sink.field(Tag.since, since.bitPattern) }
        if let item {
            sink.field(Tag.itemName, item.name)
            if let account = item.account { sink.field(Tag.itemAccount, account) }
        }
        if let caller { sink.field(Tag.caller, caller) }
        sink.field(Tag.after, after)
        sink.field(Tag.limit, UInt64(max(0, limit)))
    }

    init(_ bytes: RawSpan) throws(WireError) {
        var cursor = WireCursor(bytes)
        var (name, account): (WipedBytes?, WipedBytes?)
        var query = AuditQuery()
        var (hasAfter, limit): (Bool, Int?) = (false, nil)
        while let field = try cursor.field(bytes) {
            switch field.tag {
            case Tag.since: query.since = try WireValue.seconds(bytes, field.range)
            case Tag.itemName: name = try WireValue.wiped(bytes, field.range)
            case Tag.itemAccount: account = try WireValue.wiped(bytes, field.range)
            case Tag.caller: query.caller = try WireValue.text(bytes, field.range)
            case Tag.after:
                query.after = try WireValue.number64(bytes, field.range)
                hasAfter = true
            case Tag.limit: limit = try WireValue.count(bytes, field.range)
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        guard hasAfter, let limit, name != nil || account == nil else {
            throw WireError(at: bytes.byteCount, .missingField)
        }
        guard limit <= WireLimits.auditRecords else { throw WireError(at: bytes.byteCount, .tooLarge) }
        query.limit = limit
        query.item = name.map { Item(name: $0, account: account) }
        self = query
    }
}
