// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobModel

/// The right to use a keychain's folder, held by one process at a time: a locked file that names the holder.
///
/// The kernel gives the lock up when the holder ends, however it ends; the file stays and means nothing by itself.
package struct OwnerLock: ~Copyable, Sendable {
    private let file: Descriptor

    /// Takes the lock at once or not at all; makes the file (mode 0600) if need be.
    ///
    /// - Throws: `.keychainInUse` with the holder as cause and remedy; `.permissions`, `.diskFull`, `.readOnly`,
    ///   `.inputOutput` when the file cannot be had.
    package static func acquire(
        _ path: String, _ operation: KeychainError.Operation = .open
    ) throws(KeychainError) -> OwnerLock {
        let file: Descriptor
        do {
            file = try Descriptor.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        } catch {
            throw KeychainError(error, operation, path: path, missing: .keychainNotFound, remedy: .createKeychain)
        }
        guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            let error = PosixError.last("flock")
            guard error.errno == EWOULDBLOCK else { throw KeychainError(error, operation, path: path) }
            throw inUse(holder(file), path, operation)
        }
        do throws(PosixError) {
            try write("\(getpid())\n", to: file)
        } catch {
            throw KeychainError(error, operation, path: path)
        }
        return OwnerLock(file: file)
    }

    /// Writes into the file where the holder serves other programs.
    ///
    /// - Throws: `.diskFull`, `.readOnly`, `.inputOutput`.
    package func announce(_ path: String, socket: String) throws(KeychainError) {
        do throws(PosixError) { try Self.write("\(getpid())\n\(socket)\n", to: file) } catch {
            throw KeychainError(error, .serve, path: path)
        }
    }

    /// The socket of the daemon that holds the lock at `path` now, or nil: nobody holds it, or no daemon does.
    ///
    /// A file that cannot be read names nobody; whoever then takes the lock is told why.
    package static func socket(at path: String) -> String? {
        guard let file = try? Descriptor.open(path, O_RDONLY | O_NOFOLLOW) else { return nil }
        // Taken by us: then what the file says is of a process that has ended.
        if flock(file.rawValue, LOCK_SH | LOCK_NB) == 0 { return nil }
        guard let bytes = try? file.contents(limit: 4096), bytes.last == UInt8(ascii: "\n") else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return lines.count == 2 ? String(lines[1]) : nil
    }

    private static func write(_ text: String, to file: borrowing Descriptor) throws(PosixError) {
        guard lseek(file.rawValue, 0, SEEK_SET) == 0 else { throw .last("lseek") }
        guard ftruncate(file.rawValue, 0) == 0 else { throw .last("ftruncate") }
        unsafe try file.write(Array(text.utf8).span.bytes)
    }

    /// The process that the file names, or nil: it is written after the lock is taken, so for a moment it names nobody.
    private static func holder(_ file: borrowing Descriptor) -> Int32? {
        // Whatever keeps the name from being read, the answer stays "in use".
        guard let bytes = try? file.contents(limit: 4096), bytes.last == UInt8(ascii: "\n") else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.flatMap { Int32($0) }
    }

    private static func inUse(
        _ holder: Int32?, _ path: String, _ operation: KeychainError.Operation
    ) -> KeychainError {
        KeychainError(
            .keychainInUse, operation, subject: .path(path),
            cause: holder.map { .process(pid: $0) } ?? .posix(call: "flock", errno: EWOULDBLOCK),
            remedy: holder.map { .stopOwner(pid: $0) })
    }
}
