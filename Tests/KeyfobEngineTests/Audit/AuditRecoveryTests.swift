// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobModel
import Synchronization
import Testing

@testable import KeyfobEngine

@Suite struct AuditRecoveryTests {
    private let lab = AuditLab()

    init() throws { try lab.write(10) }

    private func contents() throws -> [AuditLine.Content] {
        try lab.lines().compactMap { AuditLine(ArraySlice($0.utf8))?.content }
    }

    @Test func `A line that was not finished is removed, and the log says so and goes on`() throws {
        try lab.write(2, sealing: false)
        let whole = try lab.size()
        try lab.cut(20)
        let torn = try lab.size() - lab.offset(12)
        try lab.write(1)
        #expect(try contents()[12] == .recovered(AuditRecovery(fault: .torn, dropped: torn)))
        #expect(try lab.size() > whole)
        #expect(try lab.verify().findings.isEmpty)
    }

    @Test func `Zeros at the end, as a power failure leaves them, are removed`() throws {
        let file = try FileHandle(forUpdating: URL(filePath: lab.files.path(AuditFiles.current)))
        try file.seekToEnd()
        try file.write(contentsOf: Data(count: 5000))
        try file.close()
        try lab.write(1)
        #expect(try contents()[11] == .recovered(AuditRecovery(fault: .torn, dropped: 5000)))
        #expect(try lab.verify().findings.isEmpty)
    }

    @Test func `A log that was cut short keeps the gap for ever`() throws {
        try lab.edit { $0.removeLast(4) }
        let cut = try lab.size()
        try lab.write(3)
        try lab.write(3)
        #expect(
            try lab.verify().findings.map(\.words) == [
                "removed 8-10 audit.log@\(cut)", "recovered 11-11 audit.log@\(cut)",
            ])
    }

    @Test func `A log that was changed and made to fit before it was opened says so for ever`() throws {
        try lab.edit { lines in
            lines[2] = lines[2].replacingOccurrences(of: "\"uid\":1000", with: "\"uid\":0")
            lines = lab.rechained(Array(lines.dropLast()))
        }
        try lab.write(3)
        try lab.write(3)
        #expect(try lab.verify().findings.map(\.fault) == [.recovered])
        #expect(try contents()[10] == .recovered(AuditRecovery(fault: .changed)))
    }

    @Test func `A log that was taken away while nobody had it open begins after the last checkpoint`() throws {
        try FileManager.default.removeItem(atPath: lab.files.path(AuditFiles.current))
        try lab.write(1)
        let found = try lab.verify()
        #expect(found.first == 11)
        #expect(found.findings.map(\.fault) == [.recovered])
    }

    @Test func `An end that is no line is left as it is and named`() throws {
        try lab.edit { $0[10] = "something else" }
        try lab.write(1)
        #expect(try lab.lines()[10] == "something else")
        #expect(try lab.verify().findings.map(\.fault) == [.malformed, .recovered])
    }

    @Test func `A checkpoint in the store that the token did not make is said in the log`() throws {
        lab.keeper.state.withLock { $0.kept?[50] ^= 1 }
        try lab.write(1)
        #expect(try contents()[11] == .recovered(AuditRecovery(fault: .forged)))
    }

    @Test func `A file that is removed while it is open is begun anew at the next checkpoint, and the gap shows`()
        throws
    {
        let log = try lab.open()
        try log.didAccess(AuditLab.event(1))
        try FileManager.default.removeItem(atPath: lab.files.path(AuditFiles.current))
        try log.didAccess(AuditLab.event(2))
        log.checkpoint()
        try log.didAccess(AuditLab.event(3))
        log.close()
        let found = try lab.verify()
        #expect(found.first == 14)
        #expect(found.last == 15)
    }

    @Test func `A file that is cut while it is open has a gap`() throws {
        let log = try lab.open()
        for number in 0..<5 { try log.didAccess(AuditLab.event(number)) }
        try lab.edit { $0.removeLast(3) }
        log.checkpoint()
        try log.didAccess(AuditLab.event(9))
        log.close()
        #expect(try lab.verify().findings.map(\.fault) == [.removed])
    }

    @Test func `A file with no line at all goes on after the checkpoint`() throws {
        try lab.replace([])
        try lab.write(2)
        #expect(try lab.verify().findings.map(\.fault) == [.recovered])
        #expect(try lab.verify().first == 11)
    }

    @Test func `A new log begins with the keychain's own hash`() throws {
        let first = try #require(AuditLine(ArraySlice(lab.lines()[0].utf8)))
        #expect(first.sequence == 1)
        #expect(first.previous == AuditLine.origin(lab.keychain))
    }

    // MARK: - Before the first unlock

    /// Opens the log while its key is locked, changes it before if wanted, and unlocks.
    private func openLocked(after change: (AuditLab) throws -> Void = { _ in }) throws {
        try change(lab)
        lab.keeper.state.withLock { $0.isLocked = true }
        let log = try lab.open(isRequired: true)
        try log.didAccess(AuditLab.event(1))
        lab.keeper.state.withLock { $0.isLocked = false }
        try log.didAccess(AccessEvent(.unlock))
        log.close()
    }

    @Test func `A log whose checkpoint opens at the first unlock only goes on before it`() throws {
        try openLocked()
        #expect(try lab.verify().findings.isEmpty)
        // Ten lines and their checkpoint, what came before the unlock, the unlock, and its checkpoint.
        #expect(try lab.verify().last == 14)
    }

    @Test func `What was done to such a log is told at the first unlock`() throws {
        try openLocked { lab in try lab.edit { $0 = lab.rechained(Array($0.dropLast(6))) } }
        #expect(try lab.verify().findings.map(\.fault).contains(.recovered))
    }

    @Test func `The checkpoint of before is not replaced while it cannot be opened`() throws {
        let kept = lab.keeper.state.withLock { state in
            state.isLocked = true
            return state.kept
        }
        let log = try lab.open()
        try log.didAccess(AuditLab.event(1))
        log.checkpoint()
        log.close()
        #expect(lab.keeper.state.withLock { $0.kept } == kept)
    }
}
