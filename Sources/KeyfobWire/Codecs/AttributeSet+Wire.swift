// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

/// An attribute: its name, its kind, and its bytes after their length; in the order of their names.
extension AttributeSet {
    private enum Kind: UInt8 {
        case text = 1
        case data = 2
        case number = 3
        case date = 4
    }

    func encode<Sink: WireSink>(_ sink: inout Sink) {
        for (name, value) in self {
            sink.put(name.rawValue)
            switch value {
            case .text(let bytes):
                sink.put(Kind.text.rawValue)
                sink.sized(bytes)
            case .data(let bytes):
                sink.put(Kind.data.rawValue)
                sink.sized(bytes)
            case .number(let number):
                sink.put(Kind.number.rawValue)
                sink.put(UInt32(8))
                sink.put(UInt64(bitPattern: number))
            case .date(let seconds):
                sink.put(Kind.date.rawValue)
                sink.put(UInt32(8))
                sink.put(seconds.bitPattern)
            }
        }
    }

    init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        self.init()
        var cursor = WireCursor(range)
        var last: UInt32?
        while !cursor.isAtEnd {
            let start = cursor.offset
            guard count < WireLimits.attributes else { throw WireError(at: start, .tooLarge) }
            let name = try cursor.number32(bytes)
            if let last, name <= last { throw WireError(at: start, .unorderedField) }
            last = name
            guard let kind = Kind(rawValue: try cursor.byte(bytes)) else { throw WireError(at: start + 4, .badValue) }
            let place = try cursor.sized(bytes)
            self[AttributeName(rawValue: name)] =
                switch kind {
                case .text: .text(try WireValue.wiped(bytes, place))
                case .data: .data(try WireValue.wiped(bytes, place))
                case .number: .number(Int64(bitPattern: try WireValue.number64(bytes, place)))
                case .date: .date(Double(bitPattern: try WireValue.number64(bytes, place)))
                }
        }
    }
}
