// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
internal import Glibc
package import KeyfobModel

/// The folder of a throw-away keychain and its daemon, marked as such; only folders with the marker are ever removed.
///
/// ```
///   keyfob-sandbox-XXXXXX/   0700
///     sandbox.lock           the marker; locked by whoever uses the folder, so that an unlocked one was left behind
///     pin                    the token's PIN
///     keychain/              the keychain (KeychainHome)
///     keyfobd.sock           the daemon's socket
/// ```
package final class SandboxFolder: Sendable {
    /// An absolute path.
    package let path: String
    private let folder: Descriptor
    /// Holds the lock for as long as it is open.
    private let marker: Descriptor

    /// The keychain's folder.
    package var home: String { Self.home(in: path) }
    /// The daemon's socket.
    package var socket: String { Self.socket(in: path) }
    /// The file with the PIN.
    package var pinFile: String { path + "/pin" }

    /// What the name of every such folder begins with.
    package static let prefix = "keyfob-sandbox-"
    private static let markerName = "sandbox.lock"
    private static let markerText = "keyfob sandbox\n"

    /// Bytes that have to be free in memory to choose it; a sandbox with some thousand items needs less.
    private static let need: UInt64 = 64 << 20

    /// The keychain's folder in a sandbox at that path.
    package static func home(in path: String) -> String { path + "/keychain" }

    /// The daemon's socket in a sandbox at that path.
    package static func socket(in path: String) -> String { path + "/keyfobd.sock" }

    private init(_ path: String, _ folder: consuming Descriptor, _ marker: consuming Descriptor) {
        self.path = path
        self.folder = folder
        self.marker = marker
    }

    // MARK: - Making

    /// Makes a folder with a random name, in memory where the machine has such a place, and a random PIN in it.
    ///
    /// - Throws: `.permissions`, `.diskFull`, `.readOnly`, `.inputOutput`; nothing is left then.
    package static func make() throws(KeychainError) -> SandboxFolder {
        let parent =
            parents.first { unsafe access($0, W_OK | X_OK) == 0 && keyfob_memory_folder($0, need) == 1 } ?? temporary
        var name = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&name) != nil else {
            throw KeychainError(.last("mkdtemp"), .create, path: parent)
        }
        let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let made: SandboxFolder
        do throws(PosixError) {
            made = try mark(path)
        } catch {
            unsafe unlink(path + "/" + markerName)
            unsafe rmdir(path)
            throw KeychainError(error, .create, path: path)
        }
        do throws(KeychainError) {
            try SandboxPIN.make(made.pinFile)
            try PrivateFolder.create(made.home)
            return made
        } catch {
            made.removeOrSay()
            throw error
        }
    }

    /// Makes an empty folder a sandbox that this process uses.
    private static func mark(_ path: String) throws(PosixError) -> SandboxFolder {
        let marker = try Descriptor.open(path + "/" + markerName, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
        // Locked before it says what it is: a sweep leaves a marker alone that says nothing.
        guard flock(marker.rawValue, LOCK_SH) == 0 else { throw .last("flock") }
        unsafe try marker.write(Array(markerText.utf8).span.bytes)
        return SandboxFolder(path, try Descriptor.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), marker)
    }

    /// Where one may lie, the best first: in memory, for there nothing waits for a disk.
    private static var parents: [String] {
        ["/dev/shm", Environment.value("XDG_RUNTIME_DIR")].compactMap(\.self).filter { $0.hasPrefix("/") }
    }

    /// `TMPDIR`, else /tmp.
    private static var temporary: String {
        Environment.value("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    }

    // MARK: - Using

    /// Takes part in a sandbox that another process made, for as long as the result lives.
    ///
    /// - Throws: `.configurationInvalid` if the folder is no sandbox of this user; `.keychainInUse` if it is being
    ///   removed.
    package static func join(_ path: String) throws(KeychainError) -> SandboxFolder {
        do throws(PosixError) {
            if path.hasPrefix("/"), let joined = try existing(path, lock: LOCK_SH) { return joined }
        } catch {
            guard error.errno != EWOULDBLOCK else {
                throw KeychainError(
                    .keychainInUse, .serve, subject: .path(path), cause: .posix(call: error.call, errno: error.errno))
            }
            // Whatever else keeps the marker from being read: without it the folder is no sandbox.
        }
        throw KeychainError(
            .configurationInvalid, .serve, subject: .path(path),
            cause: .format(place: path, fault: "is no sandbox of this user"), remedy: .fixConfiguration)
    }

    /// The folder at the path, locked; nil: it is no sandbox of this user.
    ///
    /// - Throws: `EWOULDBLOCK` if somebody holds the lock, and the errors of opening.
    private static func existing(_ path: String, lock: Int32) throws(PosixError) -> SandboxFolder? {
        guard let name = path.split(separator: "/").last, name.hasPrefix(prefix) else { return nil }
        let folder = try Descriptor.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        let status = try folder.status()
        guard status.owner == geteuid(), status.permissions == 0o700 else { return nil }
        let number = unsafe openat(folder.rawValue, markerName, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw .last("openat") }
        let marker = Descriptor(owning: number)
        let mark = try marker.status()
        guard mark.kind == .file, mark.owner == geteuid(), mark.size == markerText.utf8.count else { return nil }
        guard flock(marker.rawValue, lock | LOCK_NB) == 0 else { throw .last("flock") }
        guard try marker.contents(limit: 64) == Array(markerText.utf8) else { return nil }
        return SandboxFolder(path, folder, marker)
    }

    // MARK: - Removing

    /// Removes the folder and everything in it; one that is gone already is no error.
    ///
    /// Follows no link and enters no other file system. The marker goes last, so that a removal that was cut short can be
    /// ended by a sweep.
    ///
    /// - Throws: `.permissions`, `.inputOutput`.
    package func remove() throws(KeychainError) {
        do throws(PosixError) {
            try FolderRemoval.empty(folder, sparing: Self.markerName)
            if unsafe unlinkat(folder.rawValue, Self.markerName, 0) != 0, errno != ENOENT { throw .last("unlinkat") }
            if unsafe rmdir(path) != 0, errno != ENOENT { throw .last("rmdir") }
        } catch {
            throw KeychainError(error, .create, path: path)
        }
    }

    /// Removes it; what cannot be removed is said in the log.
    package func removeOrSay() {
        do throws(KeychainError) { try remove() } catch {
            Log.shared.warning("sandbox \(path) could not be removed")
        }
    }

    /// Removes the sandboxes of this user whose processes were all killed before they could do so.
    ///
    /// One that cannot be removed is left to the next sweep.
    package static func sweep() {
        for parent in Set(parents + [temporary, "/tmp"]) {
            // A folder that may not be listed has none that we could remove.
            for name in (try? FolderNames.of(parent)) ?? [] where name.hasPrefix(prefix) {
                let path = "\(parent)/\(name)"
                // Somebody else's, in use, or no sandbox.
                guard let left = (try? existing(path, lock: LOCK_EX)) ?? nil else {
                    // One that cannot be looked into is left alone.
                    try? removeUnfinished(path)
                    continue
                }
                left.removeOrSay()
            }
        }
    }

    /// How long the making of a folder may take, in seconds; it takes microseconds.
    private static let making = 60

    /// Removes a folder whose maker was killed before it was marked: one of this user that has lain for a while and holds
    /// nothing, or nothing but an empty marker.
    private static func removeUnfinished(_ path: String) throws(PosixError) {
        let folder = try Descriptor.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        var status = stat()
        guard unsafe fstat(folder.rawValue, &status) == 0 else { throw .last("fstat") }
        guard status.st_uid == geteuid(), status.st_mode & 0o777 == 0o700, status.st_mtim.tv_sec + making < time(nil)
        else { return }
        let names = try FolderRemoval.names(in: folder)
        guard names.isEmpty || names == [Array(markerName.utf8CString)] else { return }
        if !names.isEmpty {
            var marker = stat()
            guard unsafe fstatat(folder.rawValue, markerName, &marker, AT_SYMLINK_NOFOLLOW) == 0,
                marker.st_mode & S_IFMT == S_IFREG, marker.st_size == 0,
                unsafe unlinkat(folder.rawValue, markerName, 0) == 0
            else { return }
        }
        // Takes an empty folder or none.
        unsafe rmdir(path)
    }
}
