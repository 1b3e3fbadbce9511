// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobCrypto
internal import KeyfobPlatform

/// The end of the audit log: the file that grows, and the line that the next one refers to.
///
/// Belongs to one thread at a time (`AuditWriter`).
struct AuditChain: ~Copyable {
    /// Where the log ends.
    struct Position: Hashable, Sendable {
        /// The number of the last line; 0: there is none.
        var sequence: UInt64
        /// The hash of the last line.
        var hash: Digest256
    }

    private let files: AuditFiles
    /// A file is full when the next lines would make it longer than that.
    private let sizeLimit: Int
    private var file: Descriptor
    /// Bytes of the file that belong to whole lines.
    private var size: Int
    private(set) var position: Position
    /// Lines that could not be written since the last one that was.
    private(set) var lost = 0
    /// Whether bytes of a write that failed may stand behind `size`.
    private var isTorn = false
    private var calendar = AuditTime.Calendar()
    /// From which size on it is tried to begin a new file, after that failed.
    private var nextRotation: Int

    init(_ files: AuditFiles, _ file: consuming Descriptor, size: Int, _ position: Position, sizeLimit: Int) {
        self.files = files
        self.file = file
        self.size = size
        self.position = position
        self.sizeLimit = sizeLimit
        nextRotation = sizeLimit
    }

    /// Writes lines with these bodies (`AuditLine.body`) by one call; all of them or none.
    ///
    /// - Returns: the number of the first.
    mutating func append(_ bodies: [[UInt8]]) throws(PosixError) -> UInt64 {
        do throws(PosixError) {
            let announced = lost > 0 ? [AuditLine.body(.lost(lost))] : []
            try write(announced + bodies)
            lost = 0
            return position.sequence - UInt64(bodies.count) + 1
        } catch {
            lost += bodies.count
            throw error
        }
    }

    /// Tries to say how many lines were lost, which shows whether lines can be written again.
    mutating func retry() throws(PosixError) {
        guard lost > 0 else { return }
        try write([AuditLine.body(.lost(lost))])
        lost = 0
    }

    /// A descriptor of the file that the last line is in.
    func duplicate() throws(PosixError) -> Descriptor { try file.duplicate() }

    /// Whether the file's name still leads to it, and it is not shorter than what was written.
    ///
    /// If not, the next line goes to a file that is there; what the lines before were is in the chain.
    mutating func followName() throws(PosixError) -> Bool {
        var own = stat()
        var named = stat()
        guard unsafe fstat(file.rawValue, &own) == 0 else { throw .last("fstat") }
        if unsafe stat(files.path(AuditFiles.current), &named) == 0, own.st_ino == named.st_ino,
            own.st_dev == named.st_dev
        {
            guard Int(own.st_size) < size else { return true }
            size = Int(own.st_size)
            return false
        }
        file = try files.renew()
        size = 0
        return false
    }

    // MARK: - Private

    private mutating func write(_ bodies: [[UInt8]]) throws(PosixError) {
        if isTorn {
            guard ftruncate(file.rawValue, off_t(size)) == 0 else { throw .last("ftruncate") }
            isTorn = false
        }
        let time = AuditTime.now()
        var writer = AuditLineWriter()
        var next = position
        for body in bodies {
            let start = writer.bytes.count
            AuditLine.writeHead(next.sequence + 1, time, next.hash, &calendar, to: &writer)
            writer.bytes += body
            next.sequence += 1
            next.hash = unsafe Digest256(sha256: writer.bytes.span.bytes.extracting(start...))
            writer.bytes.append(0x0A)
        }
        if size > 0, size + writer.bytes.count > nextRotation { rotate() }
        do throws(PosixError) {
            unsafe try file.write(writer.bytes.span.bytes)
        } catch {
            // Of several lines some may have got there; if the disk does not say, the next write finds out.
            let written = (try? file.status().size) ?? size + 1
            isTorn = written > size && ftruncate(file.rawValue, off_t(size)) != 0
            throw error
        }
        size += writer.bytes.count
        position = next
    }

    /// Begins a new file; if it cannot, goes on in the old one.
    private mutating func rotate() {
        do throws(PosixError) {
            guard fdatasync(file.rawValue) == 0 else { throw .last("fdatasync") }
            file = try files.renew()
            size = 0
            nextRotation = sizeLimit
        } catch {
            Log.shared.warning("\(files.path(AuditFiles.current)) is full and no other can be begun: \(error.call)")
            nextRotation = size + sizeLimit / 16
        }
    }
}
