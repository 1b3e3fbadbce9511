// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobMemory
internal import KeyfobModel

extension SecretBytes {
    /// Zeros, with the error of this module.
    static func zeros(_ count: Int, _ operation: KeychainError.Operation) throws(KeychainError) -> SecretBytes {
        do {
            return try SecretBytes(count: count)
        } catch {
            throw KeychainError(error, operation)
        }
    }

    /// Everything up to the end of a file, at most `limit` bytes.
    ///
    /// - Throws: `.invalidParameter` if it is more, `.inputOutput` and the errors of memory.
    static func contents(
        of file: borrowing Descriptor, limit: Int, path: String, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> SecretBytes {
        var buffer = try zeros(min(limit + 1, 4096), operation)
        var count = 0
        while true {
            let part = try buffer.fill(from: file, at: count, path: path, operation)
            if part == 0 { break }
            count += part
            guard count <= limit else {
                throw KeychainError(
                    .invalidParameter, operation, subject: .path(path),
                    cause: .format(place: path, fault: "longer than \(limit) bytes"))
            }
            if count == buffer.count { buffer = try buffer.grown(to: min(limit + 1, 2 * count), operation) }
        }
        buffer.truncate(to: count)
        return buffer
    }

    /// Removes one newline from the end, as editors and `echo` leave it.
    mutating func dropNewline() {
        if endsLine(at: count) { truncate(to: count - 1) }
    }

    /// Whether the byte before `end` is a newline.
    func endsLine(at end: Int) -> Bool {
        unsafe withUnsafeBytes { unsafe end > 0 && $0[end - 1] == UInt8(ascii: "\n") }
    }

    /// Reads once, to the bytes from `offset` on; 0 is the end of the file.
    mutating func fill(
        from file: borrowing Descriptor, at offset: Int, path: String, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> Int {
        do throws(PosixError) {
            return unsafe try withUnsafeMutableBytes { (buffer) throws(PosixError) in
                unsafe try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[offset...]))
            }
        } catch {
            throw KeychainError(error, operation, path: path)
        }
    }

    private func grown(to newCount: Int, _ operation: KeychainError.Operation) throws(KeychainError) -> SecretBytes {
        var larger = try Self.zeros(newCount, operation)
        unsafe larger.withUnsafeMutableBytes { target in unsafe withUnsafeBytes { unsafe target.copyMemory(from: $0) } }
        return larger
    }
}
