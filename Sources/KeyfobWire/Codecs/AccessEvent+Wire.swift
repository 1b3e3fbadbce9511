// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

extension AccessEvent {
    enum Tag {
        static let action: UInt8 = 1
        static let caller: UInt8 = 2
        static let itemClass: UInt8 = 3
        static let nameDigest: UInt8 = 4
        static let accountDigest: UInt8 = 5
        static let scopes: UInt8 = 6
        static let items: UInt8 = 7
        static let itemCount: UInt8 = 8
        static let givesValue: UInt8 = 9
        static let result: UInt8 = 10
        static let microseconds: UInt8 = 11
        static let lockReason: UInt8 = 12
    }

    /// The bytes of a digest, and of a UUID.
    private static let pieceSize = 16

    func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.field(Tag.action, action.rawValue)
        if let caller {
            let mark = sink.begin(Tag.caller)
            caller.encode(&sink)
            sink.end(mark)
        }
        if let itemClass { sink.field(Tag.itemClass, itemClass.rawValue) }
        if let nameDigest { sink.field(Tag.nameDigest, nameDigest) }
        if let accountDigest { sink.field(Tag.accountDigest, accountDigest) }
        sink.field(Tag.scopes, Array(scopes.joined()))
        sink.field(Tag.items, items.flatMap(\.bytes))
        sink.field(Tag.itemCount, UInt64(max(0, itemCount)))
        sink.field(Tag.givesValue, givesValue)
        if let result { sink.field(Tag.result, UInt32(result.rawValue)) }
        sink.field(Tag.microseconds, UInt64(bitPattern: microseconds))
        if let lockReason { sink.field(Tag.lockReason, lockReason.rawValue) }
    }

    init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        var cursor = WireCursor(range)
        var action: AuditAction?
        var event = AccessEvent(.add)
        var seen: Set<UInt8> = []
        while let field = try cursor.field(bytes) {
            seen.insert(field.tag)
            switch field.tag {
            case Tag.action: action = try WireValue.word(bytes, field.range)
            case Tag.caller: event.caller = try Caller(bytes, field.range)
            case Tag.itemClass: event.itemClass = try WireValue.known(bytes, field.range)
            case Tag.nameDigest: event.nameDigest = try Self.digest(bytes, field.range)
            case Tag.accountDigest: event.accountDigest = try Self.digest(bytes, field.range)
            case Tag.scopes: event.scopes = try Self.list(bytes, field.range, Self.digest)
            case Tag.items: event.items = try Self.list(bytes, field.range, ItemUUID.init)
            case Tag.itemCount: event.itemCount = try WireValue.count(bytes, field.range)
            case Tag.givesValue: event.givesValue = try WireValue.flag(bytes, field.range)
            case Tag.result:
                guard let number = UInt16(exactly: try WireValue.number32(bytes, field.range)) else {
                    throw WireError(at: field.range.lowerBound, .badValue)
                }
                event.result = KeychainError.Code(rawValue: number)
            case Tag.microseconds: event.microseconds = Int64(bitPattern: try WireValue.number64(bytes, field.range))
            case Tag.lockReason: event.lockReason = try WireValue.known(bytes, field.range)
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        let needed: Set<UInt8> = [
            Tag.scopes, Tag.items, Tag.itemCount, Tag.givesValue, Tag.microseconds,
        ]
        guard let action, seen.isSuperset(of: needed) else { throw WireError(at: range.upperBound, .missingField) }
        event.action = action
        self = event
    }

    private static func digest(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) -> [UInt8] {
        guard range.count == pieceSize else { throw WireError(at: range.lowerBound, .badValue) }
        return try WireValue.array(bytes, range)
    }

    /// Digests or UUIDs, one after the other; at most so many as an access names.
    private static func list<Piece>(
        _ bytes: RawSpan, _ range: Range<Int>, _ piece: (RawSpan, Range<Int>) throws(WireError) -> Piece
    ) throws(WireError) -> [Piece] {
        guard range.count.isMultiple(of: pieceSize) else { throw WireError(at: range.lowerBound, .badValue) }
        guard range.count <= namedLimit * pieceSize else { throw WireError(at: range.lowerBound, .tooLarge) }
        var list: [Piece] = []
        for start in stride(from: range.lowerBound, to: range.upperBound, by: pieceSize) {
            list.append(try piece(bytes, start..<(start + pieceSize)))
        }
        return list
    }
}

extension Caller {
    enum Tag {
        static let uid: UInt8 = 1
        static let gid: UInt8 = 2
        static let groups: UInt8 = 3
        static let pid: UInt8 = 4
        static let startTime: UInt8 = 5
        static let executable: UInt8 = 6
        static let unit: UInt8 = 7
    }

    func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.field(Tag.uid, uid)
        sink.field(Tag.gid, gid)
        let mark = sink.begin(Tag.groups)
        for group in groups { sink.put(group) }
        sink.end(mark)
        sink.field(Tag.pid, UInt32(bitPattern: pid))
        sink.field(Tag.startTime, startTime)
        if let executable { sink.field(Tag.executable, executable) }
        if let unit { sink.field(Tag.unit, unit) }
    }

    /// A caller in a report; who asks is never decoded from a message.
    init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        var cursor = WireCursor(range)
        var (uid, gid, pid): (UInt32?, UInt32?, UInt32?)
        var (executable, unit): (String?, String?)
        var groups: [UInt32]?
        var startTime: UInt64?
        while let field = try cursor.field(bytes) {
            switch field.tag {
            case Tag.uid: uid = try WireValue.number32(bytes, field.range)
            case Tag.gid: gid = try WireValue.number32(bytes, field.range)
            case Tag.groups:
                var inner = WireCursor(field.range)
                var found: [UInt32] = []
                while !inner.isAtEnd { found.append(try inner.number32(bytes)) }
                groups = found
            case Tag.pid: pid = try WireValue.number32(bytes, field.range)
            case Tag.startTime: startTime = try WireValue.number64(bytes, field.range)
            case Tag.executable: executable = try WireValue.text(bytes, field.range)
            case Tag.unit: unit = try WireValue.text(bytes, field.range)
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        guard let uid, let gid, let groups, let pid, let startTime else {
            throw WireError(at: range.upperBound, .missingField)
        }
        self.init(
            uid: uid, gid: gid, groups: groups, pid: Int32(bitPattern: pid), startTime: startTime,
            executable: executable, unit: unit)
    }
}
