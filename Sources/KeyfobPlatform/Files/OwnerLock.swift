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
            guard ftruncate(file.rawValue, 0) == 0 else { throw .last("ftruncate") }
            unsafe try file.write(Array("\(getpid())\n".utf8).span.bytes)
        } catch {
            throw KeychainError(error, operation, path: path)
        }
        return OwnerLock(file: file)
    }

    /// The process that the file names, or nil: it is written after the lock is taken, so for a moment it names nobody.
    private static func holder(_ file: borrowing Descriptor) -> Int32? {
        // Whatever keeps the name from being read, the answer stays "in use".
        guard let bytes = try? file.contents(limit: 32), bytes.last == UInt8(ascii: "\n") else { return nil }
        return Int32(String(decoding: bytes.dropLast(), as: UTF8.self))
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
