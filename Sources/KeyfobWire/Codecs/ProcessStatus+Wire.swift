// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

/// The numbers in the order of their declaration, four flags in one byte, then the version.
extension ProcessStatus {
    func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.put(UInt32(bitPattern: pid))
        sink.put(uid)
        sink.put(coreLimit)
        sink.put(UInt64(clamping: lockedBytes))
        sink.put(UInt64(clamping: unlockedBytes))
        sink.put(lockedMemoryLimit)
        sink.put(umask)
        let flags = [isDumpable, requiresLockedMemory, hasNoNewPrivileges, printsBacktraces]
        sink.put(flags.enumerated().reduce(0 as UInt8) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) })
        unsafe sink.put(version.utf8Span.span.bytes)
    }

    init(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) {
        var cursor = WireCursor(range)
        let pid = Int32(bitPattern: try cursor.number32(bytes))
        let uid = try cursor.number32(bytes)
        let coreLimit = try cursor.number64(bytes)
        let lockedBytes = Int(exactly: try cursor.number64(bytes))
        let unlockedBytes = Int(exactly: try cursor.number64(bytes))
        let lockedMemoryLimit = try cursor.number64(bytes)
        let umask = try cursor.number32(bytes)
        let flags = try cursor.byte(bytes)
        guard let lockedBytes, let unlockedBytes, flags < 16 else { throw WireError(at: range.lowerBound, .badValue) }
        self.init(
            pid: pid, uid: uid, version: try WireValue.text(bytes, cursor.rest()), isDumpable: flags & 1 != 0,
            coreLimit: coreLimit, lockedBytes: lockedBytes, unlockedBytes: unlockedBytes,
            lockedMemoryLimit: lockedMemoryLimit, requiresLockedMemory: flags & 2 != 0, umask: umask,
            hasNoNewPrivileges: flags & 4 != 0, printsBacktraces: flags & 8 != 0)
    }
}

/// Uptime, connections, requests that wait, workers that hang, then the socket.
extension DaemonStatus {
    func encode<Sink: WireSink>(_ sink: inout Sink) {
        sink.put(uptime.bitPattern)
        sink.put(UInt64(clamping: connections))
        sink.put(UInt64(clamping: queued))
        sink.put(UInt64(clamping: stuckWorkers))
        unsafe sink.put(socket.utf8Span.span.bytes)
    }

    init(_ bytes: RawSpan) throws(WireError) {
        var cursor = WireCursor(bytes)
        let uptime = Double(bitPattern: try cursor.number64(bytes))
        let connections = Int(exactly: try cursor.number64(bytes))
        let queued = Int(exactly: try cursor.number64(bytes))
        let stuckWorkers = Int(exactly: try cursor.number64(bytes))
        // Who shows the time counts its seconds, which no infinite number and no NaN has.
        guard let connections, let queued, let stuckWorkers, uptime.isFinite else { throw WireError(at: 0, .badValue) }
        self.init(
            socket: try WireValue.text(bytes, cursor.rest()), uptime: uptime, connections: connections,
            queued: queued, stuckWorkers: stuckWorkers)
    }
}
