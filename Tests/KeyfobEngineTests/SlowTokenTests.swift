// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// A keychain in this process on a token that takes its time, or does not answer at all.
@Suite(.lendsTokens) struct SlowTokenTests {
    private let mock: MockToken
    private let keychain: TestKeychain
    private static let items = 30
    private static let all = ItemQuery(itemClass: .genericPassword)

    init() throws {
        mock = try MockToken()
        keychain = try TestKeychain(token: mock.token, uri: mock.uriText).unlocked()
        for number in 0..<Self.items {
            try keychain.service().add("mail", account: "\(number)", value: [UInt8(number), 7])
        }
    }

    private func values(_ result: borrowing MatchResult) -> [[UInt8]] {
        var values: [[UInt8]] = []
        for item in result.items { values.append(result.withValue(of: item) { $0?.array ?? [] }) }
        return values
    }

    @Test func `Many values of a slow token come in their order, and leave a session to others`() throws {
        mock.script(.sleep(.decrypt, milliseconds: 10, times: MockStep.forever))
        let request = MatchRequest(Self.all, limit: .all, returns: [.data, .attributes])
        for _ in 0..<3 {
            let result = try keychain.service().copyMatching(request)
            #expect(values(result) == (0..<Self.items).map { [UInt8($0), 7] })
        }
        // More than one thread took part, and not every session was taken.
        #expect((2...3).contains(keychain.engine.tokenSessions))
    }

    @Test func `A token that answers at once is asked by one thread`() throws {
        let request = MatchRequest(Self.all, limit: .all, returns: .data)
        for _ in 0..<3 { #expect(try keychain.service().copyMatching(request).items.count == Self.items) }
        #expect(keychain.engine.tokenSessions == 1)
    }

    @Test func `A value that the token fails at ends the read, however many threads there are`() throws {
        mock.script(.sleep(.decrypt, milliseconds: 3, times: MockStep.forever))
        let request = MatchRequest(Self.all, limit: .all, returns: .data)
        _ = try keychain.service().copyMatching(request)
        mock.script(.answer(.decryptInit, .functionFailed, after: 12, times: MockStep.forever))
        #expect(code { _ = try keychain.service().copyMatching(request) } == .tokenFailed)
        mock.module.reset()
        #expect(try keychain.service().copyMatching(request).items.count == Self.items)
    }

    @Test func `While the token does not answer at all, searches and lists do`() throws {
        mock.script(.hang(.decrypt, times: MockStep.forever))
        let readers = (0..<4).map { _ in
            Background { [service = keychain.service()] in
                try service.copyMatching(MatchRequest(Self.all, limit: .all, returns: .data)).items.count
            }
        }
        #expect(mock.module.waitForHang(4))
        let service = keychain.service()
        let calls = keychain.engine.tokenCalls
        let one = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("mail"), .account: .text("3")])
        let list = try service.copyMatching(MatchRequest(Self.all, limit: .all, returns: .attributes))
        #expect(list.items.count == Self.items)
        #expect(try service.copyMatching(MatchRequest(one)).items.count == 1)
        #expect(try service.copyMatching(MatchRequest(one, returns: .persistentReference)).items.count == 1)
        try service.update(UpdateRequest(one, changes: [.comment: .text("seen")]))
        try service.delete(DeleteRequest(one))
        #expect(keychain.engine.tokenCalls == calls)
        mock.script(.release)
        mock.module.reset()
        for reader in readers { #expect(try reader.value() >= Self.items - 1) }
    }

    @Test func `A long read says how far it is`() throws {
        mock.script(.sleep(.decrypt, milliseconds: 30, times: MockStep.forever))
        var told: [(Int, Int)] = []
        let service = keychain.engine.service(with: Entitlements(applicationIdentifier: "test"))
        _ = try service.copyMatching(MatchRequest(Self.all, limit: .all, returns: .data)) { told.append(($0, $1)) }
        #expect(!told.isEmpty)
        #expect(told.allSatisfy { $0.0 > 0 && $0.0 < Self.items && $0.1 == Self.items })
        #expect(told.map(\.0) == told.map(\.0).sorted())
    }

    @Test func `Verify of a slow token finds what there is, says how far it is, and opens each value once`() throws {
        mock.script(.sleep(.decrypt, milliseconds: 10, times: MockStep.forever))
        let before = mock.module.calls(of: .decrypt)
        var told: [Int] = []
        let report = try keychain.engine.verify { done, _ in told.append(done) }
        #expect(report.verified == Self.items)
        #expect(report.findings.isEmpty)
        #expect(mock.module.calls(of: .decrypt) - before == Self.items)
        #expect(told.count > 1)
        #expect(told == told.sorted())
        #expect(told.last == Self.items)
    }
}
