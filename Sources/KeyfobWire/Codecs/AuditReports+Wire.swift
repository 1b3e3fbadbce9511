// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

extension AuditRecord {
    enum Tag {
        static let sequence: UInt8 = 1
        static let time: UInt8 = 2
        static let event: UInt8 = 3
        static let items: UInt8 = 4
        static let groups: UInt8 = 5
        static let note: UInt8 = 6
    }

    private func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.field(Tag.sequence, sequence)
        sink.field(Tag.time, time.bitPattern)
        let eventMark = sink.begin(Tag.event)
        event.encode(&sink)
        sink.end(eventMark)
        let itemsMark = sink.begin(Tag.items)
        for item in items { item.encode(&sink) }
        sink.end(itemsMark)
        let groupsMark = sink.begin(Tag.groups)
        for group in groups { sink.sized(group.utf8) }
        sink.end(groupsMark)
        if let note { sink.field(Tag.note, note) }
    }

    private init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        var cursor = WireCursor(range)
        var sequence: UInt64?
        var time: Double?
        var event: AccessEvent?
        var items: [Item]?
        var groups: [AccessGroup]?
        var note: String?
        while let field = try cursor.field(bytes) {
            switch field.tag {
            case Tag.sequence: sequence = try WireValue.number64(bytes, field.range)
            case Tag.time: time = try WireValue.seconds(bytes, field.range)
            case Tag.event: event = try AccessEvent(bytes, field.range)
            case Tag.items:
                var inner = WireCursor(field.range)
                var found: [Item] = []
                while !inner.isAtEnd { found.append(try Item(bytes, &inner)) }
                items = found
            case Tag.groups:
                var inner = WireCursor(field.range)
                var found: [AccessGroup] = []
                while !inner.isAtEnd {
                    found.append(AccessGroup(utf8: try WireValue.wiped(bytes, try inner.sized(bytes))))
                }
                groups = found
            case Tag.note: note = try WireValue.text(bytes, field.range)
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        guard let sequence, let time, let event, let items, let groups else {
            throw WireError(at: range.upperBound, .missingField)
        }
        self.init(sequence: sequence, time: time, event: event, items: items, groups: groups, note: note)
    }

    /// A body of records, each after its length.
    static func encode<Sink: WireSink>(_ records: [AuditRecord], _ sink: inout Sink) {
        for record in records {
            let mark = sink.begin()
            record.encode(&sink)
            sink.end(mark)
        }
    }

    /// A body that holds nothing else.
    static func list(_ bytes: RawSpan) throws(WireError) -> [AuditRecord] {
        var cursor = WireCursor(bytes)
        var list: [AuditRecord] = []
        while !cursor.isAtEnd {
            guard list.count < WireLimits.auditRecords else { throw WireError(at: cursor.offset, .tooLarge) }
            list.append(try AuditRecord(bytes, try cursor.sized(bytes)))
        }
        return list
    }
}

/// The UUID, which of the two texts there are (1 name, 2 account), and those after their lengths.
extension AuditRecord.Item {
    fileprivate func encode<Sink: WireSink>(_ sink: inout Sink) {
        unsafe sink.put(uuid.bytes.span.bytes)
        sink.put((name == nil ? 0 : 1) | (account == nil ? 0 : 2) as UInt8)
        if let name { sink.sized(name) }
        if let account { sink.sized(account) }
    }

    fileprivate init(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        let start = cursor.offset
        _ = try cursor.number64(bytes)
        _ = try cursor.number64(bytes)
        let uuid = try ItemUUID(bytes, start..<cursor.offset)
        let flags = try cursor.byte(bytes)
        guard flags < 4 else { throw WireError(at: cursor.offset - 1, .badValue) }
        let name = flags & 1 == 0 ? nil : try WireValue.wiped(bytes, try cursor.sized(bytes))
        let account = flags & 2 == 0 ? nil : try WireValue.wiped(bytes, try cursor.sized(bytes))
        self.init(uuid: uuid, name: name, account: account)
    }
}

/// Five numbers, then the findings: first and last line, offset, the fault's word and the file after their lengths.
extension AuditVerification {
    func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.put(UInt64(clamping: lines))
        sink.put(first)
        sink.put(last)
        sink.put(UInt64(clamping: checkpoints))
        sink.put(UInt64(clamping: unsealed))
        for finding in findings {
            sink.put(finding.sequence)
            sink.put(finding.last)
            sink.put(UInt64(clamping: finding.offset))
            sink.sized(finding.fault.rawValue)
            sink.sized(finding.file)
        }
    }

    init(_ bytes: RawSpan) throws(WireError) {
        var cursor = WireCursor(bytes)
        let lines = Int(exactly: try cursor.number64(bytes))
        let (first, last) = (try cursor.number64(bytes), try cursor.number64(bytes))
        let checkpoints = Int(exactly: try cursor.number64(bytes))
        let unsealed = Int(exactly: try cursor.number64(bytes))
        guard let lines, let checkpoints, let unsealed else { throw WireError(at: 0, .badValue) }
        self.init(lines: lines, first: first, last: last, checkpoints: checkpoints, unsealed: unsealed)
        while !cursor.isAtEnd {
            let start = cursor.offset
            let (sequence, last) = (try cursor.number64(bytes), try cursor.number64(bytes))
            let offset = Int(exactly: try cursor.number64(bytes))
            let fault: Fault = try WireValue.word(bytes, try cursor.sized(bytes))
            let file = try WireValue.text(bytes, try cursor.sized(bytes))
            guard let offset else { throw WireError(at: start, .badValue) }
            findings.append(Finding(fault, sequence: sequence, last: last, file: file, offset: offset))
        }
    }
}
