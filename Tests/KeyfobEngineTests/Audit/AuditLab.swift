// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobCrypto
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import KeyfobVault
import Synchronization

@testable import KeyfobEngine

/// Vouches for checkpoints as a token would, and can be told to fail.
///
/// A seal is the checkpoint in clear with a keyed digest after it: who does not have the key makes none.
final class FakeCheckpoints: CheckpointKeeper {
    struct State {
        var kept: [UInt8]?
        var fails = false
        /// As before the first unlock of a keychain whose key the host holds.
        var isLocked = false
        var seals = 0
    }

    let state = Mutex(State())
    private let key = (0..<32).map { _ in UInt8.random(in: 0...255) }

    func seal(_ checkpoint: AuditCheckpoint) throws(KeychainError) -> [UInt8] {
        let fails = state.withLock { state in
            state.seals += 1
            return state.fails
        }
        guard !fails else { throw KeychainError(.tokenFailed, .audit) }
        try requireUnlocked()
        let numbers = [checkpoint.sequence, UInt64(bitPattern: checkpoint.time)]
        let plain = numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) } }
        let body = plain + checkpoint.hash
        return body + digest(body)
    }

    private func requireUnlocked() throws(KeychainError) {
        guard state.withLock({ !$0.isLocked }) else { throw KeychainError(.interactionNotAllowed, .audit) }
    }

    func open(_ sealed: [UInt8]) throws(KeychainError) -> AuditCheckpoint? {
        try requireUnlocked()
        guard sealed.count == 80, digest(Array(sealed[..<48])) == Array(sealed[48...]) else { return nil }
        let numbers = [0, 8].map { start in
            (0..<8).reduce(UInt64(0)) { $0 | UInt64(sealed[start + $1]) << (8 * UInt64($1)) }
        }
        return AuditCheckpoint(
            sequence: numbers[0], time: Int64(bitPattern: numbers[1]), hash: Array(sealed[16..<48]))
    }

    func keep(_ sealed: [UInt8]) throws(KeychainError) { state.withLock { $0.kept = sealed } }

    func kept() throws(KeychainError) -> [UInt8]? { state.withLock { $0.kept } }

    private func digest(_ bytes: [UInt8]) -> [UInt8] {
        unsafe Digest256(sha256: (key + bytes).span.bytes).bytes
    }
}

/// A log in a folder of one test alone, whose files are changed while it is closed.
final class AuditLab {
    let folder: String
    let files: AuditFiles
    let keeper = FakeCheckpoints()
    let keychain = ItemUUID.zero

    init() {
        folder = FileManager.default.temporaryDirectory.path + "/keyfob-audit-\(UUID().uuidString)"
        files = AuditFiles(folder: folder)
    }

    deinit {
        // A folder that cannot be removed is no fault of what was tested.
        try? FileManager.default.removeItem(atPath: folder)
    }

    func open(isRequired: Bool = false, fileSize: Int = AuditLog.fileSize) throws -> AuditLog {
        try AuditLog(files, keychain: keychain, keeper: keeper, isRequired: isRequired, fileSize: fileSize)
    }

    /// Opens the log, writes so many lines, and ends it as a process that stops does: with a checkpoint, or without.
    func write(_ count: Int, sealing: Bool = true, fileSize: Int = AuditLog.fileSize) throws {
        let log = try open(fileSize: fileSize)
        for number in 0..<count { try log.didAccess(Self.event(number)) }
        if sealing { log.checkpoint() }
        log.close()
    }

    static func event(_ number: Int) -> AccessEvent {
        AccessEvent(
            .find, caller: Caller(uid: 1000, gid: 100, pid: 42, executable: "/usr/bin/shop", unit: "shop.service"),
            itemClass: .genericPassword, nameDigest: Array(repeating: UInt8(number % 256), count: 16),
            result: .itemNotFound, microseconds: Int64(number))
    }

    /// The lines of a file, without their line feeds.
    func lines(_ name: String = AuditFiles.current) throws -> [String] {
        try String(contentsOfFile: files.path(name), encoding: .utf8).split(separator: "\n").map(String.init)
    }

    func size(_ name: String = AuditFiles.current) throws -> Int {
        try Data(contentsOf: URL(filePath: files.path(name))).count
    }

    /// Puts other lines into a file.
    func replace(_ lines: [String], in name: String = AuditFiles.current) throws {
        try lines.map { $0 + "\n" }.joined().write(toFile: files.path(name), atomically: false, encoding: .utf8)
    }

    /// Changes the lines of a file.
    func edit(_ name: String = AuditFiles.current, _ change: (inout [String]) -> Void) throws {
        var lines = try lines(name)
        change(&lines)
        try replace(lines, in: name)
    }

    /// Cuts bytes off the end of the current file.
    func cut(_ bytes: Int) throws {
        let file = try FileHandle(forUpdating: URL(filePath: files.path(AuditFiles.current)))
        try file.truncate(atOffset: UInt64(size() - bytes))
        try file.close()
    }

    /// The same lines with numbers and hashes made to fit again, as who knows the format and has no token can.
    func rechained(_ lines: [String]) -> [String] {
        var position = AuditChain.Position(sequence: 0, hash: AuditLine.origin(keychain))
        return lines.map { text in
            guard let line = AuditLine(ArraySlice(text.utf8)) else { return text }
            let linked = AuditLine(
                sequence: position.sequence + 1, time: line.time, previous: position.hash, content: line.content)
            position = AuditChain.Position(
                sequence: linked.sequence, hash: unsafe Digest256(sha256: linked.bytes.span.bytes))
            return String(decoding: linked.bytes, as: UTF8.self)
        }
    }

    /// What verifying the files finds.
    func verify() throws -> AuditVerification {
        let keeper = keeper
        let anchor = try keeper.kept().flatMap { try keeper.open($0) }
        var verifier = AuditVerifier(
            origin: AuditLine.origin(keychain), anchor: anchor,
            open: { (sealed) throws(KeychainError) in try keeper.open(sealed) })
        let snapshot = try AuditSnapshot(files)
        var end = AuditVerifier.Place(file: AuditFiles.current, offset: 0)
        for name in snapshot.names {
            guard var reader = try snapshot.reader(name) else { continue }
            while let piece = try reader.next() {
                try verifier.take(
                    piece.bytes, isWhole: piece.isWhole, at: AuditVerifier.Place(file: name, offset: piece.offset))
            }
            end = AuditVerifier.Place(file: name, offset: reader.end)
        }
        return verifier.finish(at: end)
    }

    /// The offset of a line in the current file.
    func offset(_ index: Int) throws -> Int {
        try lines()[..<index].reduce(0) { $0 + $1.utf8.count + 1 }
    }
}

extension AuditVerification.Finding {
    /// `changed 3-4 audit.log@512`, for short expectations.
    var words: String { "\(fault.rawValue) \(sequence)-\(last) \(file)@\(offset)" }
}
