// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobPlatform
internal import KeyfobWire

/// What a connection has received and nobody has taken: a part of a frame, or frames that were sent before their turn.
///
/// Its memory grows with the bytes that have come, never with the length that a header promises.
struct FrameInput: ~Copyable {
    private var storage: SecretBytes?
    /// Bytes that are there.
    private(set) var count = 0
    /// Of the first frame, as soon as it is there.
    private(set) var header: FrameHeader?

    /// Bytes of memory that it has.
    var capacity: Int {
        switch storage {
        case .some(let bytes): bytes.count
        case .none: 0
        }
    }

    var isEmpty: Bool { count == 0 }

    /// Bytes of the first frame, as far as that is known: only the header, or all of it.
    private var frameSize: Int { header.map { FrameHeader.size + Int($0.length) } ?? FrameHeader.size }

    /// Whether the first frame is complete; `readHeader` comes before.
    var hasFrame: Bool { header != nil && count >= frameSize }

    /// Whether something can be done with what is there, without any further byte.
    var needsTurn: Bool { count >= frameSize }

    /// The capacity that `more` bytes need, or that one further byte of the first frame needs (0).
    func capacity(forMore more: Int) -> Int {
        let needed = count + max(more, 1)
        guard needed > capacity else { return capacity }
        if needed <= 4096 { return 4096 }
        let next = max(65536, 2 * capacity)
        // Never more than the frame, unless there is more already.
        return max(needed, header == nil ? next : min(next, frameSize))
    }

    /// Takes the memory that `capacity(forMore:)` said.
    mutating func grow(to newCapacity: Int) throws(SecretMemoryError) {
        guard newCapacity > capacity else { return }
        var larger = try SecretBytes(count: newCapacity)
        switch storage {
        case .some(let bytes):
            bytes.withBytes { larger.overwrite(at: 0, with: $0.extracting(first: count)) }
        case .none: break
        }
        storage = consume larger
    }

    /// Adds bytes, for which there is room; `header` is that of the first frame, if it has been read.
    mutating func append(_ bytes: RawSpan, header: FrameHeader? = nil) {
        storage?.overwrite(at: count, with: bytes)
        count += bytes.byteCount
        if let header { self.header = header }
    }

    /// Receives bytes of the first frame and none beyond it: as `UnixSocket.receive`.
    mutating func receive(from socket: borrowing UnixSocket) throws(PosixError) -> Int? {
        let (offset, limit) = (count, frameSize - count)
        guard let received = try storage?.receive(from: socket, at: offset, limit: limit) else { return nil }
        count += received
        return received
    }

    /// Reads the first frame's header if it is there and was not read.
    mutating func readHeader() throws(WireError) {
        guard header == nil, count >= FrameHeader.size else { return }
        switch storage {
        case .some(let bytes):
            header = try bytes.withBytes { (span) throws(WireError) in try FrameHeader(decoding: span) }
        case .none: break
        }
    }

    /// What can be said of a first frame whose header is none, or not there yet.
    var brokenHeader: FrameHeader {
        switch storage {
        case .some(let bytes): bytes.withBytes { FrameHeader(malformed: $0.extracting(first: count)) }
        case .none: FrameHeader(length: 0, operation: 0, requestID: 0)
        }
    }

    /// Lends what follows the header of the first frame, which must be complete.
    func withBody<R>(_ body: (RawSpan) -> R) -> R {
        precondition(hasFrame, "a frame is looked at that is not there")
        switch storage {
        case .some(let bytes): return bytes.withBytes { body($0.extracting(FrameHeader.size..<frameSize)) }
        case .none: return body(RawSpan())
        }
    }

    /// Takes the first frame, which must be complete; what follows it stays, its header unread.
    mutating func takeFrame() throws(SecretMemoryError) -> SecretBytes? {
        let size = frameSize
        precondition(hasFrame, "a frame is taken that is not there")
        guard var bytes = storage.take() else { return nil }
        let rest = count - size
        header = nil
        count = 0
        if rest > 0 {
            let kept = try bytes.withBytes { (span) throws(SecretMemoryError) in
                try SecretBytes(copying: span.extracting(size..<(size + rest)))
            }
            storage = consume kept
            count = rest
        }
        bytes.truncate(to: size)
        return bytes
    }

    /// Wipes everything.
    mutating func clear() {
        storage = nil
        count = 0
        header = nil
    }
}

extension SecretBytes {
    fileprivate mutating func receive(
        from socket: borrowing UnixSocket, at offset: Int, limit: Int
    ) throws(PosixError) -> Int? {
        try socket.receive(into: &self, at: offset, limit: limit)
    }
}
