// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The memory of another process, searched through `/proc/PID/mem`.
package struct ProcessMemory {
    /// Where a piece of a secret was found.
    package struct Finding: CustomStringConvertible {
        package let name: String
        package let address: UInt
        /// The line of `/proc/PID/maps`.
        package let mapping: String
        /// The bytes around it, printable ones as they are.
        package let surroundings: String

        package var description: String {
            "\(name) at \(String(address, radix: 16)) in \(mapping): \(surroundings)"
        }
    }

    private let pid: Int32

    package init(_ pid: Int32) {
        self.pid = pid
    }

    /// Every place in every readable mapping that holds a piece of a secret; at most a hundred.
    package func search(_ secrets: [SecretPieces]) throws(SpawnedProgram.Failure) -> [Finding] {
        let file = unsafe open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw SpawnedProgram.Failure(call: "open /proc/\(pid)/mem", errno: Glibc.errno) }
        defer { close(file) }
        var findings: [Finding] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 22)
        for mapping in try mappings() {
            var start = mapping.start
            while start < mapping.end, findings.count < 100 {
                let wanted = min(buffer.count, Int(mapping.end - start))
                let count = unsafe pread(file, &buffer, wanted, off_t(start))
                guard count > 0 else { break }
                for (name, offset) in SecretPieces.find(secrets, in: buffer[..<count]) {
                    let around = buffer[max(0, offset - 24)..<min(count, offset + 40)]
                    let text = String(decoding: around.map { (32...126).contains($0) ? $0 : 46 }, as: UTF8.self)
                    findings.append(
                        Finding(name: name, address: start + UInt(offset), mapping: mapping.line, surroundings: text))
                }
                // A piece may lie across the border of two reads.
                if count < wanted || start + UInt(count) >= mapping.end { break }
                start += UInt(count - SecretPieces.size)
            }
        }
        return findings
    }

    /// How many bytes the readable mappings have: a search of nothing proves nothing.
    package func size() throws(SpawnedProgram.Failure) -> Int {
        try mappings().reduce(0) { $0 + Int($1.end - $1.start) }
    }

    private func mappings() throws(SpawnedProgram.Failure) -> [(start: UInt, end: UInt, line: String)] {
        guard let file = unsafe fopen("/proc/\(pid)/maps", "r") else {
            throw SpawnedProgram.Failure(call: "open /proc/\(pid)/maps", errno: Glibc.errno)
        }
        defer { unsafe fclose(file) }
        var found: [(UInt, UInt, String)] = []
        var line = [CChar](repeating: 0, count: 8192)
        while unsafe fgets(&line, Int32(line.count), file) != nil {
            let text = String(
                decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let words = text.split(separator: " ")
            let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard ends.count == 2, words[1].hasPrefix("r"), !text.contains("[vvar"), !text.contains("[vsyscall") else {
                continue
            }
            found.append((ends[0], ends[1], text))
        }
        return found
    }
}

/// A secret to be searched for, cut into overlapping pieces: what is half overwritten is found too.
package struct SecretPieces {
    /// Bytes of a piece.
    package static let size = 12

    package let name: String
    private let pieces: [[UInt8]]

    /// - Parameter bytes: at least `size`, random.
    package init(_ name: String, _ bytes: [UInt8]) {
        precondition(bytes.count >= Self.size, "too short to be told from chance")
        self.name = name
        pieces = stride(from: 0, through: bytes.count - Self.size, by: 6).map { Array(bytes[$0..<$0 + Self.size]) }
    }

    /// Where the first place of each piece is in `hay`.
    package static func find(_ secrets: [SecretPieces], in hay: ArraySlice<UInt8>) -> [(String, Int)] {
        var found: [(String, Int)] = []
        unsafe hay.withUnsafeBytes { hay in
            guard let base = hay.baseAddress else { return }
            for secret in secrets {
                for (number, piece) in secret.pieces.enumerated() {
                    guard let place = unsafe memmem(base, hay.count, piece, piece.count) else { continue }
                    unsafe found.append(("\(secret.name)[\(number * 6)...]", UnsafeRawPointer(place) - base))
                }
            }
        }
        return found
    }
}

/// `memmem` of the C library, which Swift does not import.
nonisolated(unsafe) private let memmem:
    @convention(c) (UnsafeRawPointer, Int, UnsafeRawPointer, Int) -> UnsafeMutableRawPointer? = {
        guard let symbol = unsafe dlsym(nil, "memmem") else { fatalError("the C library has no memmem") }
        return unsafe unsafeBitCast(
            symbol,
            to: (@convention(c) (UnsafeRawPointer, Int, UnsafeRawPointer, Int) -> UnsafeMutableRawPointer?).self)
    }()
