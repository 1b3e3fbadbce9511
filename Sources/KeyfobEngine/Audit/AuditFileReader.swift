// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobPlatform

/// Reads a file of the audit log line by line.
struct AuditFileReader: ~Copyable {
    /// A piece of the file up to a line feed, which is left out.
    struct Line {
        let bytes: ArraySlice<UInt8>
        /// Where it begins in the file.
        let offset: Int
        /// Whether a line feed follows.
        let isWhole: Bool
    }

    private static let chunkSize = 1 << 18

    private let file: Descriptor
    /// Where reading ends, whatever was appended since.
    let end: Int
    private var buffer: [UInt8] = []
    /// Where in `buffer` the next line begins.
    private var position = 0
    /// Where `buffer` begins in the file.
    private var bufferOffset: Int

    /// - Parameters:
    ///   - start: where the first line begins.
    ///   - end: where to stop; nil: at the end that the file has now.
    init(_ file: consuming Descriptor, from start: Int = 0, to end: Int? = nil) throws(PosixError) {
        let size = try file.status().size
        self.file = file
        self.end = min(end ?? size, size)
        bufferOffset = start
    }

    /// The next line; nil at the end.
    ///
    /// What is longer than any line comes in pieces that are no lines either.
    mutating func next() throws(PosixError) -> Line? {
        // Bytes of the line that hold no line feed.
        var searched = 0
        while true {
            if let feed = buffer[(position + searched)...].firstIndex(of: 0x0A) { return take(feed, isWhole: true) }
            searched = buffer.count - position
            if searched > AuditLine.sizeLimit { return take(buffer.count, isWhole: false) }
            guard try fill() else { break }
        }
        return position < buffer.count ? take(buffer.count, isWhole: false) : nil
    }

    private mutating func take(_ end: Int, isWhole: Bool) -> Line {
        let line = Line(bytes: buffer[position..<end], offset: bufferOffset + position, isWhole: isWhole)
        position = end + (isWhole ? 1 : 0)
        return line
    }

    /// Drops the lines that were taken and reads more; false at the end.
    private mutating func fill() throws(PosixError) -> Bool {
        buffer.removeSubrange(..<position)
        bufferOffset += position
        position = 0
        let offset = bufferOffset + buffer.count
        let wanted = min(Self.chunkSize, end - offset)
        guard wanted > 0 else { return false }
        var chunk = [UInt8](repeating: 0, count: wanted)
        let count = unsafe pread(file.rawValue, &chunk, wanted, offset)
        guard count >= 0 else { throw .last("pread") }
        buffer.append(contentsOf: chunk.prefix(count))
        return count > 0
    }
}
