// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWire
internal import Synchronization

/// One connection to a daemon: a request goes out, its answer comes in; used by one thread at a time.
final class DaemonConnection: Sendable {
    /// How long one send or receive may take: longer than the daemon takes to say that it gave up.
    static let patience = Duration.seconds(60)
    /// What one receive asks for at first: nearly every answer fits.
    private static let usualSize = 4096

    /// What is kept between two calls: the bytes that came behind a frame, which are the start of the next one, and whether
    /// answers have been quick.
    private struct Rest: ~Copyable {
        var bytes: SecretBytes?
        var eagerness = Eagerness()
    }

    private let socket: UnixSocket
    private let rest = Mutex(Rest())
    /// The path, for errors.
    let path: String

    /// Connects.
    ///
    /// - Throws: `.daemonNotAnswering` if nobody listens, `.permissions` if this user may not connect or somebody else's
    ///   program listens there.
    init(_ path: String) throws(KeychainError) {
        self.path = path
        socket = try UnixSocket.connect(path, timeout: Self.patience)
        try DaemonPeer.verify(socket, path)
    }

    /// Whether more came than was asked for: it is of no more use.
    var hasRest: Bool { rest.withLock { $0.bytes != nil } }

    /// Whether the other end has closed, or has said something that nobody asked for.
    var isStale: Bool {
        var one = pollfd(fd: socket.descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&one, 1, 0) != 0
    }

    /// How an exchange broke off.
    enum Break: Error {
        /// Nothing of an answer came: a request that may be repeated can be sent again elsewhere.
        case unanswered(PosixError)
        case failed(KeychainError)
    }

    /// Sends a whole frame and wipes it.
    func send(_ frame: consuming SecretBytes) throws(Break) {
        do throws(PosixError) {
            try frame.withBytes { (bytes) throws(PosixError) in try socket.send(bytes) }
        } catch {
            throw error.errno == EAGAIN ? .failed(timedOut("send")) : .unanswered(error)
        }
    }

    /// Receives one frame: its header and the whole of its bytes, header included.
    ///
    /// What came behind it, as the answer does behind the last word of its progress, is kept for the next call.
    func receive() throws(Break) -> Frame {
        var bytes = try memory(Self.usualSize)
        var count = takeRest(into: &bytes)
        if count == 0 { count = try fill(&bytes, from: 0, isFirst: true) }
        while count < FrameHeader.size { count += try fill(&bytes, from: count, isFirst: false) }
        let header: FrameHeader
        do throws(WireError) {
            header = try bytes.withBytes { (span) throws(WireError) in
                try FrameHeader(decoding: span.extracting(first: count))
            }
        } catch {
            throw .failed(malformed(error))
        }
        guard header.length <= WireLimits.bodySize else { throw .failed(malformed(WireError(at: 0, .tooLarge))) }
        let total = FrameHeader.size + Int(header.length)
        if count > total {
            try keepRest(of: bytes, from: total, to: count)
            count = total
        }
        if total > bytes.count {
            var larger = try memory(total)
            bytes.withBytes { span in
                unsafe larger.withUnsafeMutableBytes { target in
                    unsafe span.extracting(first: count).withUnsafeBytes { unsafe target.copyMemory(from: $0) }
                }
            }
            bytes = larger
        } else {
            bytes.truncate(to: total)
        }
        while count < total { count += try fill(&bytes, from: count, isFirst: false) }
        return Frame(header: header, bytes: bytes)
    }

    /// A frame as it came.
    struct Frame: ~Copyable {
        let header: FrameHeader
        let bytes: SecretBytes
    }

    /// The error for bytes that are no frame of the protocol.
    func malformed(_ error: WireError) -> KeychainError {
        KeychainError(
            .messageMalformed, .connect, subject: .daemon(path),
            cause: .format(place: "byte \(error.offset)", fault: error.fault.rawValue), remedy: .updateKeyfob)
    }

    // MARK: - Private

    /// Moves what was kept into `bytes`, which is as large as any of it; how much it was.
    private func takeRest(into bytes: inout SecretBytes) -> Int {
        guard let kept = rest.withLock({ $0.bytes.take() }) else { return 0 }
        kept.withBytes { bytes.overwrite(at: 0, with: $0) }
        return kept.count
    }

    private func keepRest(of bytes: borrowing SecretBytes, from start: Int, to end: Int) throws(Break) {
        try rest.withLock { (rest) throws(Break) in
            var kept = try memory(end - start)
            bytes.withBytes { kept.overwrite(at: 0, with: $0.extracting(start..<end)) }
            rest.bytes = consume kept
        }
    }

    private func fill(_ bytes: inout SecretBytes, from start: Int, isFirst: Bool) throws(Break) -> Int {
        let received: Int?
        do throws(PosixError) {
            received = isFirst ? try wait(for: &bytes, from: start) : try socket.receive(into: &bytes, at: start)
        } catch {
            throw isFirst ? .unanswered(error) : .failed(brokenOff(error))
        }
        guard let count = received else { throw .failed(timedOut("recv")) }
        guard count > 0 else {
            let error = PosixError(call: "recv", errno: ECONNRESET)
            throw isFirst ? .unanswered(error) : .failed(brokenOff(error))
        }
        return count
    }

    /// Receives the first bytes of an answer, which mostly comes sooner than a sleeping thread wakes up.
    private func wait(for bytes: inout SecretBytes, from start: Int) throws(PosixError) -> Int? {
        // No other thread uses the connection meanwhile, and no lock is held across the call.
        var eagerness = rest.withLock { $0.eagerness }
        defer { rest.withLock { $0.eagerness = eagerness } }
        return try socket.receive(into: &bytes, at: start, &eagerness)
    }

    private func memory(_ count: Int) throws(Break) -> SecretBytes {
        do throws(SecretMemoryError) { return try SecretBytes(count: count) } catch {
            throw .failed(KeychainError(error, .connect))
        }
    }

    private func timedOut(_ call: String) -> KeychainError {
        KeychainError(
            .timedOut, .connect, subject: .daemon(path), cause: .posix(call: call, errno: EAGAIN), remedy: .tryAgain)
    }

    private func brokenOff(_ error: PosixError) -> KeychainError {
        KeychainError(
            .daemonNotAnswering, .connect, subject: .daemon(path),
            cause: .posix(call: error.call, errno: error.errno), remedy: .tryAgain)
    }
}
