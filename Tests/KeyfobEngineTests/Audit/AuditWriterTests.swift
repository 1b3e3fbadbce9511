// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobCrypto
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import Synchronization
import Testing

@testable import KeyfobEngine

@Suite struct AuditWriterTests {
    private let lab = AuditLab()

    @Test func `Lines of many threads are one chain without a gap`() throws {
        let log = try lab.open()
        Threads.run(8) { thread in
            for number in 0..<300 { try? log.didAccess(AuditLab.event(thread * 300 + number)) }
        }
        log.checkpoint()
        log.close()
        let found = try lab.verify()
        #expect(found.findings.isEmpty)
        #expect(found.lines - found.checkpoints == 2400)
        let durations = try lab.lines().compactMap { AuditLine(ArraySlice($0.utf8)) }.compactMap { line -> Int64? in
            guard case .access(let event) = line.content else { return nil }
            return event.microseconds
        }
        #expect(durations.sorted() == (0..<2400).map(Int64.init))
    }

    @Test func `A line is in the file when the access is answered`() throws {
        let log = try lab.open()
        for number in 1...5 {
            try log.didAccess(AuditLab.event(number))
            #expect(try lab.lines().count == number)
        }
    }

    @Test func `The log and its folder are for their owner only`() throws {
        try lab.write(1)
        let mode = { try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int }
        #expect(try mode(lab.folder) == 0o700)
        #expect(try mode(lab.files.path(AuditFiles.current)) == 0o600)
    }

    @Test func `A folder that others may look into is refused`() throws {
        try lab.write(1)
        unsafe chmod(lab.folder, 0o755)
        #expect(throws: KeychainError.self) { try lab.open() }
    }

    @Test func `After 1024 lines there is a checkpoint`() throws {
        try lab.write(1024 + 10, sealing: false)
        let found = try lab.verify()
        #expect(found.checkpoints == 1)
        #expect(found.unsealed < 12)
        #expect(lab.keeper.state.withLock { $0.seals } == 1)
    }

    @Test(arguments: [AuditAction.unlock, .lock, .stop])
    func `An unlock, a lock and a stop are sealed at once`(action: AuditAction) throws {
        let log = try lab.open()
        try log.didAccess(AuditLab.event(1))
        try log.didAccess(AccessEvent(action))
        #expect(try lab.verify().unsealed == 0)
        #expect(try lab.verify().checkpoints == 1)
    }

    @Test func `Where nothing was written no checkpoint is made`() throws {
        let log = try lab.open()
        try log.didAccess(AuditLab.event(1))
        log.checkpoint()
        log.checkpoint()
        #expect(lab.keeper.state.withLock { $0.seals } == 1)
    }

    @Test func `A token that fails costs the checkpoint and no line`() throws {
        lab.keeper.state.withLock { $0.fails = true }
        let log = try lab.open(isRequired: true)
        try log.didAccess(AccessEvent(.unlock))
        lab.keeper.state.withLock { $0.fails = false }
        try log.didAccess(AccessEvent(.lock))
        #expect(try lab.verify().checkpoints == 1)
        #expect(try lab.verify().findings.isEmpty)
    }

    // MARK: - Files

    @Test func `A full file gets the next number and the chain goes on`() throws {
        try lab.write(100, fileSize: 8192)
        let names = try lab.files.names()
        #expect(names.count > 3)
        #expect(names == (1..<names.count).map { "audit.log.\($0)" } + ["audit.log"])
        for name in names { #expect(try lab.size(name) <= 8192) }
        let found = try lab.verify()
        #expect(found.findings.isEmpty)
        #expect(found.lines == 101)
    }

    @Test func `Files that were removed from the oldest end are no fault`() throws {
        try lab.write(100, fileSize: 8192)
        for name in try lab.files.names().prefix(2) { try FileManager.default.removeItem(atPath: lab.files.path(name)) }
        try lab.write(1, fileSize: 8192)
        let found = try lab.verify()
        #expect(found.findings.isEmpty)
        #expect(found.first > 1)
    }

    @Test func `A file that was removed from the middle is a gap`() throws {
        try lab.write(100, fileSize: 8192)
        let names = try lab.files.names()
        let gone = try lab.lines(names[1])
        try FileManager.default.removeItem(atPath: lab.files.path(names[1]))
        let findings = try lab.verify().findings
        #expect(findings.map(\.fault) == [.removed])
        #expect(findings.first?.file == names[2])
        #expect(findings.first.map { $0.last - $0.sequence + 1 } == UInt64(gone.count))
    }

    @Test func `A process that ends between two names of a file loses no line`() throws {
        try lab.write(20)
        unsafe rename(lab.files.path(AuditFiles.current), lab.files.path("audit.log.1"))
        #expect(FileManager.default.createFile(atPath: lab.files.path(AuditFiles.fresh), contents: nil))
        try lab.write(20)
        let found = try lab.verify()
        #expect(found.findings.isEmpty)
        #expect(found.lines == 42)
        #expect(found.first == 1)
    }

    @Test func `Any line of a long file is found by its number`() throws {
        try lab.write(3000)
        let snapshot = try AuditSnapshot(lab.files)
        for number in [1, 2, 1000, 1024, 2999, 3000] as [UInt64] {
            guard var reader = try snapshot.reader(AuditFiles.current, from: number) else { continue }
            var passed = 0
            while let line = try reader.next(), AuditLine(line.bytes)?.sequence != number { passed += 1 }
            // What is read in vain is a small part of the file.
            #expect(passed < 300)
        }
    }
}

/// A log on a descriptor that a test can make fail.
@Suite struct AuditFailureTests {
    private let lab = AuditLab()
    private let number: Int32
    private let log: AuditLog
    private let isRequired: Bool

    init() throws {
        try PrivateFolder.create(lab.folder)
        let file = try Descriptor.open(
            lab.files.path(AuditFiles.current), O_RDWR | O_CREAT | O_APPEND, mode: 0o600)
        number = file.rawValue
        isRequired = true
        let chain = AuditChain(
            lab.files, file, size: 0, AuditChain.Position(sequence: 0, hash: AuditLine.origin(lab.keychain)),
            sizeLimit: 1 << 20)
        log = try AuditLog(lab.files, AuditTail(chain: chain, recovery: nil), keeper: lab.keeper, isRequired: true)
    }

    private func breakDisk() { becomes("/dev/full") }

    private func healDisk() { becomes(lab.files.path(AuditFiles.current)) }

    private func becomes(_ path: String) {
        let other = unsafe open(path, O_RDWR | O_APPEND)
        dup2(other, number)
        close(other)
    }

    private func code(_ body: () throws -> Void) -> KeychainError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? KeychainError)?.code ?? .internalError
        }
    }

    @Test func `What cannot be recorded is refused with the cause where the log is required`() throws {
        try log.didAccess(AuditLab.event(1))
        breakDisk()
        #expect(code { try log.didAccess(AuditLab.event(2)) } == .diskFull)
        #expect(code { try log.willAccess() } == .diskFull)
    }

    @Test func `When the disk has room again the log says how many lines are missing and goes on`() throws {
        try log.didAccess(AuditLab.event(1))
        breakDisk()
        for number in 0..<3 { #expect(code { try log.didAccess(AuditLab.event(number)) } == .diskFull) }
        healDisk()
        #expect(code { try log.willAccess() } == nil)
        try log.didAccess(AuditLab.event(5))
        let contents = try lab.lines().compactMap { AuditLine(ArraySlice($0.utf8))?.content }
        #expect(contents.count == 3)
        #expect(contents[1] == .lost(3))
        #expect(try lab.verify().findings.isEmpty)
    }

    @Test func `Where the log is only wanted the access is answered and the loss counted`() throws {
        let file = try Descriptor.open("/dev/full", O_RDWR)
        let chain = AuditChain(
            lab.files, file, size: 0, AuditChain.Position(sequence: 0, hash: AuditLine.origin(lab.keychain)),
            sizeLimit: 1 << 20)
        let wanted = try AuditLog(
            lab.files, AuditTail(chain: chain, recovery: nil), keeper: lab.keeper, isRequired: false)
        #expect(code { try wanted.willAccess() } == nil)
        #expect(code { try wanted.didAccess(AuditLab.event(1)) } == nil)
        #expect(code { try wanted.willAccess() } == nil)
    }
}
