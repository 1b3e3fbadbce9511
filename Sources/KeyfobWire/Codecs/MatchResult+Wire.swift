// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

extension ItemResult {
    enum Tag {
        static let itemClass: UInt8 = 1
        static let attributes: UInt8 = 2
        static let accessControl: UInt8 = 3
        static let persistentReference: UInt8 = 4
        static let valueStart: UInt8 = 5
        static let valueEnd: UInt8 = 6
    }

    func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.field(Tag.itemClass, itemClass.rawValue)
        if let attributes {
            let mark = sink.begin(Tag.attributes)
            attributes.encode(&sink)
            sink.end(mark)
        }
        if let accessControl { sink.field(Tag.accessControl, accessControl.encoded) }
        if let persistentReference { sink.field(Tag.persistentReference, persistentReference.bytes) }
        if let value {
            sink.field(Tag.valueStart, UInt64(clamping: value.lowerBound))
            sink.field(Tag.valueEnd, UInt64(clamping: value.upperBound))
        }
    }

    init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        var cursor = WireCursor(range)
        var itemClass: ItemClass?
        var result = ItemResult(itemClass: .genericPassword)
        var (start, end): (Int?, Int?)
        while let field = try cursor.field(bytes) {
            switch field.tag {
            case Tag.itemClass: itemClass = try WireValue.known(bytes, field.range)
            case Tag.attributes: result.attributes = try AttributeSet(bytes, field.range)
            case Tag.accessControl: result.accessControl = try AccessControl(bytes, field.range)
            case Tag.persistentReference: result.persistentReference = try PersistentReference(bytes, field.range)
            case Tag.valueStart: start = try WireValue.count(bytes, field.range)
            case Tag.valueEnd: end = try WireValue.count(bytes, field.range)
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        guard let itemClass else { throw WireError(at: range.upperBound, .missingField) }
        result.itemClass = itemClass
        switch (start, end) {
        case (nil, nil): break
        case (let start?, let end?):
            guard start <= end else { throw WireError(at: range.lowerBound, .badValue) }
            result.value = start..<end
        default: throw WireError(at: range.upperBound, .missingField)
        }
        self = result
    }
}

extension MatchResult {
    enum Tag {
        static let items: UInt8 = 1
        static let values: UInt8 = 2
        static let leftOut: UInt8 = 3
    }

    borrowing func encode<Sink: WireSink>(_ sink: inout Sink) {
        let mark = sink.begin(Tag.items)
        for item in items {
            let inner = sink.begin()
            item.encode(&sink)
            sink.end(inner)
        }
        sink.end(mark)
        sink.secret(Tag.values, values)
        if leftOut > 0 { sink.field(Tag.leftOut, UInt64(leftOut)) }
    }

    init(_ bytes: RawSpan) throws(WireError) {
        var cursor = WireCursor(bytes)
        var items: [ItemResult]?
        var values: SecretBytes?
        var size = 0
        var leftOut = 0
        while let field = try cursor.field(bytes) {
            switch field.tag {
            case Tag.items:
                var inner = WireCursor(field.range)
                var found: [ItemResult] = []
                while !inner.isAtEnd { found.append(try ItemResult(bytes, try inner.sized(bytes))) }
                items = found
            case Tag.values:
                values = try WireValue.secret(bytes, field.range, limit: WireLimits.bodySize)
                size = field.range.count
            case Tag.leftOut:
                leftOut = try WireValue.count(bytes, field.range)
                // Missing is the one form of none.
                guard leftOut > 0 else { throw WireError(at: field.range.lowerBound, .badValue) }
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        guard let items else { throw WireError(at: bytes.byteCount, .missingField) }
        let hasValues =
            switch values {
            case .some: true
            case .none: false
            }
        for item in items {
            guard let range = item.value else { continue }
            guard hasValues, range.upperBound <= size else { throw WireError(at: bytes.byteCount, .badValue) }
        }
        self.init(items: items, values: values, leftOut: leftOut)
    }
}
