// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobCrypto
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobVault

/// Finds the end of the log when it is opened, and whether it is as it was left.
///
/// ```
///   a last line without line feed       cut off: a kill or a power failure was in the middle of a write
///   ends before the checkpoint          the chain goes on after the checkpoint, so that the gap stays to be seen
///   other hash at the checkpoint        the chain goes on where the file ends, and says that it was changed
///   ends in what is no line             likewise; nothing is removed
/// ```
/// Whatever was found besides a whole log becomes a line of it, which the next checkpoint seals.
struct AuditTail: ~Copyable {
    /// How much of the end is searched for a line.
    private static let window = 1 << 20

    var chain: AuditChain
    /// What the first line has to say; nil: all is as it was left.
    let recovery: AuditRecovery?

    /// What the store says about the log.
    enum Anchor {
        case none
        case checkpoint(AuditCheckpoint)
        /// There is one, and the token did not make it.
        case forged
        /// There is one that cannot be opened before the first unlock: it is looked at then (`AuditTail.fault`).
        case locked
    }

    /// Opens the log in a folder, which is made if it is missing.
    ///
    /// - Throws: `.permissions` if others may look into the folder; the faults of the disk.
    static func open(
        _ files: AuditFiles, keychain: ItemUUID, anchor: Anchor, sizeLimit: Int
    ) throws(KeychainError) -> AuditTail {
        try PrivateFolder.create(files.folder, .audit)
        do throws(PosixError) {
            let names = try files.names()
            let file = try Descriptor.open(
                files.path(AuditFiles.current), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
            let size = try file.status().size
            if !names.contains(AuditFiles.current) { try files.sync() }
            var end = End(position: AuditChain.Position(sequence: 0, hash: AuditLine.origin(keychain)))
            // The current file may have no whole line yet: then the last one of the file before counts.
            for name in names.reversed() where !end.hasLine {
                try find(files, name, &end)
            }
            if end.torn > 0 {
                guard ftruncate(file.rawValue, off_t(size - end.torn)) == 0 else { throw .last("ftruncate") }
            }
            var recovery = end.recovery
            try compare(files, names, anchor, &end.position, &recovery)
            let chain = AuditChain(files, file, size: size - end.torn, end.position, sizeLimit: sizeLimit)
            return AuditTail(chain: chain, recovery: recovery)
        } catch {
            throw KeychainError(error, .audit, path: files.path(AuditFiles.current))
        }
    }

    private struct End {
        var position: AuditChain.Position
        var hasLine = false
        /// Bytes at the end of the current file that are no whole line.
        var torn = 0
        var isMalformed = false

        var recovery: AuditRecovery? {
            if isMalformed { return AuditRecovery(fault: .malformed, dropped: torn) }
            return torn > 0 ? AuditRecovery(fault: .torn, dropped: torn) : nil
        }
    }

    /// Looks for the last line in the end of a file.
    private static func find(_ files: AuditFiles, _ name: String, _ end: inout End) throws(PosixError) {
        guard let file = try files.open(name) else { return }
        let size = try file.status().size
        let start = max(0, size - window)
        var reader = try AuditFileReader(file, from: start, to: size)
        while let line = try reader.next() {
            // The first piece may be cut where reading begins.
            guard start == 0 || line.offset > start else { continue }
            guard line.isWhole else {
                if name == AuditFiles.current { end.torn = size - line.offset }
                break
            }
            guard let decoded = AuditLine(line.bytes) else {
                end.isMalformed = true
                continue
            }
            end.isMalformed = false
            end.hasLine = true
            end.position = AuditChain.Position(
                sequence: decoded.sequence, hash: unsafe Digest256(sha256: line.bytes.span.bytes))
        }
    }

    /// What is wrong with a log that was opened before its checkpoint could be; nil: it goes on from there.
    static func fault(
        _ files: AuditFiles, _ anchor: Anchor, at position: AuditChain.Position
    ) throws(PosixError) -> AuditRecovery? {
        // Opened whole, so what is found is what the checkpoint says against it.
        var (position, recovery) = (position, AuditRecovery?.none)
        try compare(files, try files.names(), anchor, &position, &recovery)
        return recovery
    }

    private static func compare(
        _ files: AuditFiles, _ names: [String], _ anchor: Anchor, _ position: inout AuditChain.Position,
        _ recovery: inout AuditRecovery?
    ) throws(PosixError) {
        let checkpoint: AuditCheckpoint
        switch anchor {
        case .none, .locked: return
        case .forged:
            recovery = AuditRecovery(fault: .forged, dropped: recovery?.dropped ?? 0)
            return
        case .checkpoint(let found): checkpoint = found
        }
        guard let hash = Digest256(bytes: checkpoint.hash) else { return }
        if position.sequence < checkpoint.sequence {
            recovery = AuditRecovery(fault: .truncated, dropped: recovery?.dropped ?? 0)
            position = AuditChain.Position(sequence: checkpoint.sequence, hash: hash)
        } else if try !continues(checkpoint.sequence, hash, files, names) {
            recovery = AuditRecovery(fault: .changed, dropped: recovery?.dropped ?? 0)
        }
    }

    /// Whether the line with that number has that hash, or the oldest line follows it.
    private static func continues(
        _ sequence: UInt64, _ hash: Digest256, _ files: AuditFiles, _ names: [String]
    ) throws(PosixError) -> Bool {
        for name in names.reversed() {
            guard let file = try files.open(name) else { continue }
            let start = try AuditSearch.offset(of: sequence, in: file)
            var reader = try AuditFileReader(file, from: start ?? 0)
            while let line = try reader.next(), let decoded = AuditLine(line.bytes), decoded.sequence <= sequence + 1 {
                if decoded.sequence == sequence { return unsafe Digest256(sha256: line.bytes.span.bytes) == hash }
                if decoded.sequence == sequence + 1 { return decoded.previous == hash }
            }
        }
        return false
    }
}
