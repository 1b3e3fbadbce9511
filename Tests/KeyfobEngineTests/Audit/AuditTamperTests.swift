// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobModel
import Testing

@testable import KeyfobEngine

/// Ten lines and a checkpoint: line `n` is `lines[n - 1]`, and 11 is the checkpoint.
@Suite struct AuditTamperTests {
    private let lab = AuditLab()

    init() throws { try lab.write(10) }

    private func findings() throws -> [String] { try lab.verify().findings.map(\.words) }

    @Test func `A log as it was written has no fault`() throws {
        let found = try lab.verify()
        #expect(found == AuditVerification(lines: 11, first: 1, last: 11, checkpoints: 1, unsealed: 0))
    }

    @Test func `A removed line is named where it is missing`() throws {
        try lab.edit { $0.remove(at: 3) }
        #expect(try findings() == ["removed 4-4 audit.log@\(lab.offset(3))"])
    }

    @Test func `Several removed lines are one finding`() throws {
        try lab.edit { $0.removeSubrange(2...6) }
        #expect(try findings() == ["removed 3-7 audit.log@\(lab.offset(2))"])
    }

    @Test(arguments: 1...10)
    func `A changed line is named, wherever it stands`(number: Int) throws {
        try lab.edit { $0[number - 1] = $0[number - 1].replacingOccurrences(of: "\"uid\":1000", with: "\"uid\":1001") }
        #expect(try findings() == ["changed \(number)-\(number) audit.log@\(lab.offset(number - 1))"])
    }

    @Test func `Two lines in each other's place are named`() throws {
        try lab.edit { $0.swapAt(4, 5) }
        #expect(try findings() == ["reordered 5-5 audit.log@\(lab.offset(5))"])
    }

    @Test func `A line that is there twice is named`() throws {
        try lab.edit { $0.insert($0[2], at: 6) }
        #expect(try findings() == ["repeated 3-3 audit.log@\(lab.offset(6))"])
    }

    @Test func `Lines missing at the end are named, for the store keeps the last checkpoint`() throws {
        try lab.edit { $0.removeLast(4) }
        #expect(try findings() == ["truncated 8-10 audit.log@\(lab.size())"])
    }

    @Test func `A log cut back to an earlier checkpoint is named`() throws {
        try lab.write(5)
        try lab.edit { $0.removeSubrange(11...) }
        #expect(try findings() == ["truncated 12-16 audit.log@\(lab.size())"])
    }

    @Test func `A log that is gone is truncated from its first line on`() throws {
        try FileManager.default.removeItem(atPath: lab.files.path(AuditFiles.current))
        #expect(try findings() == ["truncated 1-10 audit.log@0"])
    }

    @Test func `What is no line is named, and its neighbours are still followed`() throws {
        try lab.edit { $0[3] = "{\"seq\":4}" }
        #expect(try findings() == ["malformed 4-4 audit.log@\(lab.offset(3))"])
    }

    @Test func `A first line that is not the keychain's is named`() throws {
        try lab.edit { lines in
            guard let line = AuditLine(ArraySlice(lines[0].utf8)), let other = ItemUUID(Array(1...16)) else { return }
            let moved = AuditLine(
                sequence: 1, time: line.time, previous: AuditLine.origin(other), content: line.content)
            lines[0] = String(decoding: moved.bytes, as: UTF8.self)
        }
        #expect(try findings().first == "changed 1-1 audit.log@0")
    }

    @Test func `A changed line in a chain that was made to fit again differs from the checkpoint`() throws {
        try lab.edit { lines in
            lines[2] = lines[2].replacingOccurrences(of: "\"uid\":1000", with: "\"uid\":0")
            lines = lab.rechained(lines)
        }
        #expect(try findings() == ["changed 1-10 audit.log@\(lab.offset(9))"])
    }

    @Test func `The same without the checkpoint's line differs from the one in the store`() throws {
        try lab.edit { lines in
            lines[2] = lines[2].replacingOccurrences(of: "\"uid\":1000", with: "\"uid\":0")
            lines = lab.rechained(Array(lines.dropLast()))
        }
        #expect(try findings() == ["changed 1-10 audit.log@\(lab.offset(9))"])
    }

    @Test func `Between two checkpoints only the lines of the second are in doubt`() throws {
        try lab.write(5)
        try lab.edit { lines in
            lines[13] = lines[13].replacingOccurrences(of: "\"uid\":1000", with: "\"uid\":0")
            lines = lab.rechained(lines)
        }
        #expect(try findings() == ["changed 11-16 audit.log@\(lab.offset(15))"])
    }

    @Test func `A checkpoint that the token did not make is named`() throws {
        try lab.edit { lines in
            let line = lines[10]
            let last = line.index(line.endIndex, offsetBy: -3)
            lines[10] = String(line[..<last]) + (line[last] == "0" ? "1" : "0") + "\"}"
        }
        #expect(try findings() == ["forged 11-11 audit.log@\(lab.offset(10))"])
    }

    @Test func `Removed lines do not hide a change elsewhere`() throws {
        try lab.edit { lines in
            lines[1] = lines[1].replacingOccurrences(of: "\"us\":1", with: "\"us\":7")
            lines.remove(at: 6)
        }
        #expect(
            try findings() == ["changed 2-2 audit.log@\(lab.offset(1))", "removed 7-7 audit.log@\(lab.offset(6))"])
    }

    @Test func `Lines after the last checkpoint are counted`() throws {
        try lab.write(3, sealing: false)
        let found = try lab.verify()
        #expect(found.findings.isEmpty)
        #expect(found.unsealed == 3)
    }
}
