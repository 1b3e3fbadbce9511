// SPDX-License-Identifier: Apache-2.0
import KeyfobClient
import KeyfobDaemon
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// A daemon on a token that takes its time, or does not answer at all.
@Suite(.lendsTokens) struct SlowTokenTests {
    private static let all = ItemQuery(itemClass: .genericPassword)

    /// A keychain with some items, served.
    private struct Lab {
        let mock: MockToken
        let keychain: TestKeychain
        let daemon: TestDaemon

        init(items: Int, _ settings: ServerSettings = ServerSettings()) throws {
            mock = try MockToken()
            keychain = try TestKeychain(token: mock.token, uri: mock.uriText).unlocked()
            daemon = try TestDaemon(
                keychain.engine, entitlements: Entitlements(applicationIdentifier: "test"), settings: settings)
            let client = daemon.client()
            for number in 0..<items {
                _ = try client.add(
                    AddRequest(
                        itemClass: .genericPassword,
                        attributes: [.service: .text("mail"), .account: .text("\(number)")],
                        value: SecretBytes(copying: [UInt8(number)])))
            }
        }
    }

    @Test func `However many programs wait for a token that does not answer, others search and list`() throws {
        let lab = try Lab(items: 3)
        lab.mock.script(.hang(.decrypt, times: MockStep.forever))
        let readers = (0..<20).map { _ in
            Background { [client = lab.daemon.client()] in
                try client.copyMatching(MatchRequest(Self.all, limit: .all, returns: .data)).items.count
            }
        }
        #expect(lab.mock.module.waitForHang(4))
        let client = lab.daemon.client()
        #expect(try eventually { () throws in try client.daemonStatus().queued == 15 })
        let calls = lab.keychain.engine.tokenCalls
        for _ in 0..<20 {
            let list = try client.copyMatching(MatchRequest(Self.all, limit: .all, returns: .attributes))
            #expect(list.items.count == 3)
            #expect(try client.copyMatching(MatchRequest(Self.all)).items.count == 1)
        }
        #expect(lab.keychain.engine.tokenCalls == calls)
        lab.mock.script(.release)
        lab.mock.module.reset()
        for reader in readers { #expect(try reader.value() == 3) }
    }

    @Test func `A long read that goes on is not taken for one that hangs`() throws {
        var settings = ServerSettings()
        settings.requestDeadline = .seconds(1)
        let lab = try Lab(items: 40, settings)
        lab.mock.script(.sleep(.decrypt, milliseconds: 150, times: MockStep.forever))
        let result = try lab.daemon.client().copyMatching(MatchRequest(Self.all, limit: .all, returns: .data))
        #expect(result.items.count == 40)
        for (number, item) in result.items.enumerated() {
            #expect(result.withValue(of: item) { $0?.array } == [UInt8(number)])
        }
    }

    @Test func `No way to list or search asks the token`() throws {
        let lab = try Lab(items: 5)
        let client = lab.daemon.client()
        _ = try client.copyMatching(MatchRequest(Self.all, returns: .attributes))
        let calls = lab.keychain.engine.tokenCalls
        let one = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("mail"), .account: .text("3")])
        let label = ItemQuery(itemClass: .genericPassword, attributes: [.label: .text("mail")])
        for query in [Self.all, one, label, ItemQuery(itemClass: .internetPassword)] {
            for returns in [[], .attributes, .persistentReference, [.attributes, .persistentReference]] as [ReturnFlags]
            {
                for limit in [.all, .count(1)] as [MatchLimit] {
                    // What is not there is searched for too.
                    _ = try? client.copyMatching(MatchRequest(query, limit: limit, returns: returns))
                }
            }
        }
        #expect(try client.isEntitled(to: AccessGroup("test"), forWriting: false))
        try client.delete(DeleteRequest(one))
        #expect(lab.keychain.engine.tokenCalls == calls)
    }
}
