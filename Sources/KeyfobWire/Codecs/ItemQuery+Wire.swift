// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

extension ItemQuery {
    enum Tag {
        static let itemClass: UInt8 = 1
        static let attributes: UInt8 = 2
        static let accessGroup: UInt8 = 3
        static let synchronizable: UInt8 = 4
        static let accessibility: UInt8 = 5
        static let persistentReference: UInt8 = 6
        static let hostOrSubdomain: UInt8 = 7
        static let textFilters: UInt8 = 8
    }

    func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.field(Tag.itemClass, itemClass.rawValue)
        let mark = sink.begin(Tag.attributes)
        attributes.encode(&sink)
        sink.end(mark)
        if let accessGroup { sink.field(Tag.accessGroup, accessGroup.utf8) }
        sink.field(Tag.synchronizable, synchronizable.rawValue)
        if let accessibility { sink.field(Tag.accessibility, accessibility.rawValue) }
        if let persistentReference { sink.field(Tag.persistentReference, persistentReference.bytes) }
        if let hostOrSubdomain { sink.field(Tag.hostOrSubdomain, hostOrSubdomain) }
        guard !textFilters.isEmpty else { return }
        let filtersMark = sink.begin(Tag.textFilters)
        for filter in textFilters { filter.encode(&sink) }
        sink.end(filtersMark)
    }

    init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        var cursor = WireCursor(range)
        var itemClass: ItemClass?
        var query = ItemQuery(itemClass: .genericPassword)
        var (hasAttributes, hasSynchronizable) = (false, false)
        while let field = try cursor.field(bytes) {
            switch field.tag {
            case Tag.itemClass: itemClass = try WireValue.known(bytes, field.range)
            case Tag.attributes:
                query.attributes = try AttributeSet(bytes, field.range)
                hasAttributes = true
            case Tag.accessGroup: query.accessGroup = AccessGroup(utf8: try WireValue.wiped(bytes, field.range))
            case Tag.synchronizable:
                query.synchronizable = try WireValue.known(bytes, field.range)
                hasSynchronizable = true
            case Tag.accessibility: query.accessibility = try WireValue.known(bytes, field.range)
            case Tag.persistentReference: query.persistentReference = try PersistentReference(bytes, field.range)
            case Tag.hostOrSubdomain: query.hostOrSubdomain = try WireValue.wiped(bytes, field.range)
            case Tag.textFilters: query.textFilters = try TextFilter.list(bytes, field.range)
            default: throw WireError(at: field.range.lowerBound, .unknownField)
            }
        }
        guard let itemClass, hasAttributes, hasSynchronizable else {
            throw WireError(at: range.upperBound, .missingField)
        }
        query.itemClass = itemClass
        self = query
    }
}

extension PersistentReference {
    init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        guard range.count == 20, let reference = PersistentReference(bytes: try WireValue.array(bytes, range)) else {
            throw WireError(at: range.lowerBound, .badValue)
        }
        self = reference
    }
}

extension AccessControl {
    init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        guard range.count == 10, let control = AccessControl(encoded: try WireValue.array(bytes, range)) else {
            throw WireError(at: range.lowerBound, .badValue)
        }
        self = control
    }
}
