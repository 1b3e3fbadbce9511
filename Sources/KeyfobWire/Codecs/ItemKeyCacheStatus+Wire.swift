// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

/// Most keys, seconds, keys held, hits, misses: five counts.
extension ItemKeyCacheStatus {
    func encode<Sink: WireSink>(_ sink: inout Sink) {
        for number in [limit.keys, limit.seconds, held, hits, misses] { sink.put(UInt64(clamping: number)) }
    }

    init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        var cursor = WireCursor(range)
        var numbers: [Int] = []
        for _ in 0..<5 {
            guard let number = Int(exactly: try cursor.number64(bytes)) else {
                throw WireError(at: range.lowerBound, .badValue)
            }
            numbers.append(number)
        }
        try cursor.finish()
        guard let limit = ItemKeyCacheLimit(keys: numbers[0], seconds: numbers[1]) else {
            throw WireError(at: range.lowerBound, .badValue)
        }
        self.init(limit: limit, held: numbers[2], hits: numbers[3], misses: numbers[4])
    }
}
