// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

/// The attribute (0: any), the kind of match, whether case counts for nothing, and the text after its length.
extension TextFilter {
    func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.put(attribute?.rawValue ?? 0)
        sink.put(match.rawValue)
        sink.put(ignoresCase ? 1 : 0 as UInt8)
        sink.sized(text)
    }

    /// A field that holds nothing else, and at least one of them.
    static func list(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) -> [TextFilter] {
        var cursor = WireCursor(range)
        var list: [TextFilter] = []
        repeat {
            let start = cursor.offset
            guard list.count < WireLimits.textFilters else { throw WireError(at: start, .tooLarge) }
            let name = try cursor.number32(bytes)
            let match = Match(rawValue: try cursor.byte(bytes))
            let flag = try cursor.byte(bytes)
            let text = try WireValue.wiped(bytes, try cursor.sized(bytes))
            guard let match, flag < 2 else { throw WireError(at: start, .badValue) }
            let filter = TextFilter(
                name == 0 ? nil : AttributeName(rawValue: name), match, text, ignoresCase: flag == 1)
            // Folded text has one form, so that a message has.
            guard filter.text == text else { throw WireError(at: start, .badValue) }
            list.append(filter)
        } while !cursor.isAtEnd
        return list
    }
}
