// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import Testing

@testable import KeyfobWire

struct ExtremeValueTests {
    private let query = ItemQuery(itemClass: .genericPassword)

    private func limit(after sent: MatchLimit) throws -> MatchLimit? {
        switch try request(bytes(.copyMatching(MatchRequest(query, limit: sent)))) {
        case .copyMatching(let match): match.limit
        default: nil
        }
    }

    @Test func `A negative limit asks for nothing, and is sent so`() throws {
        #expect(try limit(after: .count(-1)) == .count(0))
        #expect(try limit(after: .count(.min)) == .count(0))
    }

    @Test func `The largest limit is not all`() throws {
        #expect(try limit(after: .count(.max)) == .count(.max))
        #expect(try limit(after: .all) == .all)
    }

    @Test func `A limit that no Int holds is refused`() throws {
        let all = try bytes(.copyMatching(MatchRequest(query, limit: .all)))
        var other = all
        let place = try #require(all.indices.first { all[$0...].starts(with: [2, 0, 0, 0, 8, 255, 255, 255, 255]) })
        other[place + 5 + 7] = 254
        #expect(throws: WireError.self) { try again(other) }
        #expect(try again(all) == all)
    }

    @Test func `Negative numbers in answers are sent as 0`() throws {
        #expect(try bytes(WireResponse.count(-1)) == bytes(WireResponse.count(0)))
        #expect(
            try bytes(WireResponse.progress(done: -1, total: .min)) == bytes(WireResponse.progress(done: 0, total: 0)))
        let groups = try bytes(.groups([AccessGroupUse(group: AccessGroup("a"), items: -7)]))
        #expect(groups.suffix(8) == [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(try again(groups) == groups)
        let report = try bytes(.verification(VerificationReport(verified: -1, locked: -1)))
        #expect(report.dropFirst(FrameHeader.size) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        let result = MatchResult(
            items: [ItemResult(itemClass: .key, value: -5..<(-1))], values: try SecretBytes(count: 0))
        let items = try bytes(.items(result))
        #expect(try again(items) == items)
    }

    @Test(arguments: [Double.nan, -.nan, .signalingNaN, .infinity, -.infinity, -0.0, .leastNonzeroMagnitude])
    func `The date of an attribute keeps its bits, even if it is no moment`(_ date: Double) throws {
        var strange = query
        strange.attributes[.creationDate] = .date(date)
        switch try request(bytes(.delete(DeleteRequest(strange)))) {
        case .delete(let received):
            guard case .date(let came) = received.query.attributes[.creationDate] else {
                Issue.record("no date")
                return
            }
            #expect(came.bitPattern == date.bitPattern)
        default: Issue.record("another request")
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `An uptime that is no number of seconds is refused`(_ uptime: Double) throws {
        let status = DaemonStatus(socket: "s", uptime: uptime, connections: 1, queued: 0, stuckWorkers: 0)
        #expect(throws: WireError(at: 0, .badValue)) { try again(bytes(.daemonStatus(status))) }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `A moment of the audit log that is no number is refused`(_ moment: Double) throws {
        #expect(throws: WireError(at: 5, .badValue)) { try again(bytes(.audit(AuditQuery(since: moment)))) }
        let record = AuditRecord(sequence: 1, time: moment, event: AccessEvent(.lock))
        // After the record's length, its number, and a tag and a length.
        #expect(throws: WireError(at: 22, .badValue)) { try again(bytes(.auditRecords([record]))) }
    }

    @Test func `An access counts what its line says, whatever items it names`() throws {
        let event = AccessEvent(.read, items: [.zero, .zero], itemCount: 1)
        let sent = WireResponse.auditRecords([AuditRecord(sequence: 1, time: 0, event: event)])
        #expect(try picture(response(bytes(sent))) == picture(sent))
    }

    @Test func `Negative numbers about the audit log are sent as 0`() throws {
        #expect(try bytes(.audit(AuditQuery(limit: -1))) == bytes(.audit(AuditQuery(limit: 0))))
        let report = AuditVerification(
            lines: -1, checkpoints: .min, unsealed: -2,
            findings: [.init(.changed, sequence: 1, file: "f", offset: -1)])
        let zeros = AuditVerification(findings: [.init(.changed, sequence: 1, file: "f", offset: 0)])
        #expect(try bytes(.auditVerification(report)) == bytes(.auditVerification(zeros)))
    }

    @Test func `A value is where the item says, or the answer is refused`() throws {
        for (range, size) in [(0..<5, 4), (3..<5, 4), (5..<5, 4)] {
            let result = MatchResult(
                items: [ItemResult(itemClass: .key, value: range)], values: try SecretBytes(count: size))
            let frame = try bytes(.items(result))
            #expect(throws: WireError.self) { try again(frame) }
        }
        let frame = try bytes(.items(MatchResult(items: [ItemResult(itemClass: .key, value: 0..<0)])))
        #expect(throws: WireError.self) { try again(frame) }
    }
}
