// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

/// The reason (1), the time (8).
extension LastLock {
    func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.put(reason.rawValue)
        sink.put(time.bitPattern)
    }

    init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        var cursor = WireCursor(range)
        let reason = LockReason(rawValue: try cursor.byte(bytes))
        let time = Double(bitPattern: try cursor.number64(bytes))
        try cursor.finish()
        guard let reason, time.isFinite else { throw WireError(at: range.lowerBound, .badValue) }
        self.init(reason, time: time)
    }
}

/// How many seconds without use (8; 0: never for that), what is done before the machine sleeps (1).
extension LockTriggers {
    func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.put(UInt64(clamping: idleSeconds ?? 0))
        sink.put(suspend.rawValue)
    }

    init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        var cursor = WireCursor(range)
        let seconds = Int(exactly: try cursor.number64(bytes))
        let suspend = Suspend(rawValue: try cursor.byte(bytes))
        try cursor.finish()
        guard let seconds, let suspend else { throw WireError(at: range.lowerBound, .badValue) }
        self.init(idleSeconds: seconds == 0 ? nil : seconds, suspend: suspend)
    }
}
