// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobPlatform

/// What a client was told and has not read: the rest of a frame, and the frames after it.
struct FrameOutput: ~Copyable {
    private var bytes: SecretBytes?
    private var sent = 0

    /// Bytes of memory that it has.
    var capacity: Int {
        switch bytes {
        case .some(let bytes): bytes.count
        case .none: 0
        }
    }

    var isEmpty: Bool { capacity == 0 }

    /// Adds a frame of which `sent` bytes have been sent already, which they can only be if there was nothing before it.
    mutating func add(_ frame: consuming SecretBytes, sent: Int = 0) throws(SecretMemoryError) {
        guard let former = bytes.take() else {
            bytes = consume frame
            self.sent = sent
            return
        }
        let left = former.count - self.sent
        var joined = try SecretBytes(count: left + frame.count)
        former.withBytes { joined.overwrite(at: 0, with: $0.extracting(droppingFirst: self.sent)) }
        frame.withBytes { joined.overwrite(at: left, with: $0) }
        bytes = consume joined
        self.sent = 0
    }

    /// Sends what the socket takes now: the number of bytes.
    ///
    /// What has been sent whole is wiped.
    mutating func flush(to socket: borrowing UnixSocket) throws(PosixError) -> Int {
        guard let waiting = bytes.take() else { return 0 }
        let start = sent
        let count = try waiting.withBytes { (span) throws(PosixError) in
            try socket.sendSome(span.extracting(droppingFirst: start)) ?? 0
        }
        sent += count
        if sent < waiting.count { bytes = consume waiting } else { sent = 0 }
        return count
    }

    /// Wipes everything.
    mutating func clear() {
        bytes = nil
        sent = 0
    }
}
