// SPDX-License-Identifier: Apache-2.0
internal import KeyfobPlatform

/// Finds a line of a file by its number without reading the whole: numbers grow along a file.
///
/// In a file that was changed the answer may lead to another place, never outside of the file.
enum AuditSearch {
    /// Below so many bytes it is read on.
    private static let grain = 1 << 16

    /// Where a line begins from which on reading meets the line with that number; nil if the file begins after it or has
    /// no line.
    static func offset(of sequence: UInt64, in file: borrowing Descriptor) throws(PosixError) -> Int? {
        let size = try file.status().size
        guard let first = try line(after: 0, file, size), first.sequence <= sequence else { return nil }
        var low = first.offset
        var high = size
        while high - low > grain {
            let middle = low + (high - low) / 2
            if let found = try line(after: middle, file, size), found.sequence <= sequence {
                guard found.offset > low else { break }
                low = found.offset
            } else {
                high = middle
            }
        }
        return low
    }

    /// The first whole line that begins at or after a place.
    private static func line(
        after place: Int, _ file: borrowing Descriptor, _ size: Int
    ) throws(PosixError) -> (offset: Int, sequence: UInt64)? {
        var reader = try AuditFileReader(file.duplicate(), from: place, to: place + grain)
        while let line = try reader.next() {
            if let decoded = AuditLine(line.bytes) { return (line.offset, decoded.sequence) }
        }
        return nil
    }
}
