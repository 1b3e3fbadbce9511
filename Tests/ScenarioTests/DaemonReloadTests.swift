// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobClient
import KeyfobModel
import KeyfobTestSupport
import Testing

/// Policies that are read again while programs are connected.
@Suite struct DaemonReloadTests {
    private static func policy(_ groups: String) -> String {
        """
        { "match": {"user": "61001"}, "application-identifier": "ACME.shop", "keychain-access-groups": [\(groups)] }
        """
    }

    @Test func `A connected program has its new group at its next call and loses none of its connection`() throws {
        let lab = try DaemonLab(policies: ["shop": Self.policy("\"ACME.shop\"")])
        try lab.start()
        let shop = try ConnectedProgram(lab, as: .shop, environment: ["ITEM_GROUP": "ACME.new"])
        #expect(shop.ask("save", "bank", "ann", "pw") == ["-34018"])
        let accepted = try Self.accepted(lab)
        try lab.setPolicy("shop", Self.policy("\"ACME.shop\", \"ACME.new\""))
        lab.signal(SIGHUP)
        #expect(lab.logs("policies were read again"))
        #expect(shop.ask("save", "bank", "ann", "pw") == ["0"])
        #expect(shop.ask("load", "bank", "ann") == ["0", "pw"])
        try lab.setPolicy("shop", Self.policy("\"ACME.shop\""))
        lab.signal(SIGHUP)
        #expect(DaemonLab.waits { lab.log.components(separatedBy: "policies were read again").count == 3 })
        #expect(shop.ask("load", "bank", "ann") == ["-34018"])
        // The one more is who asks.
        #expect(try Self.accepted(lab) == accepted + 1)
    }

    @Test(arguments: ["{ \"match\": {\"usr\": \"61001\"} }", "{ \"match\": ", "[]]", "17"])
    func `A policy file that is wrong leaves the old policy, and the log names file and fault`(text: String) throws {
        let lab = try DaemonLab(policies: ["shop": Self.policy("\"ACME.shop\"")])
        try lab.start()
        let shop = try ConnectedProgram(lab, as: .shop, environment: ["ITEM_GROUP": "ACME.shop"])
        #expect(shop.ask("save", "bank", "ann", "pw") == ["0"])
        try lab.setPolicy("broken", text)
        lab.signal(SIGHUP)
        #expect(lab.logs("policies stay as they were"))
        let line = lab.log.split(separator: "\n").first { $0.contains("policies stay as they were") } ?? ""
        #expect(line.contains("\(lab.keychain.policies)/broken.json"))
        #expect(line.count > "error: policies stay as they were: \(lab.keychain.policies)/broken.json".count + 10)
        #expect(shop.ask("load", "bank", "ann") == ["0", "pw"])
    }

    @Test func `A policy file that others may write to is refused, and the old policy stays`() throws {
        let lab = try DaemonLab(policies: ["shop": Self.policy("\"ACME.shop\"")])
        try lab.start()
        let shop = try ConnectedProgram(lab, as: .shop, environment: ["ITEM_GROUP": "ACME.evil"])
        try lab.setPolicy("a-evil", Self.policy("\"ACME.evil\""))
        unsafe chmod(lab.keychain.policies + "/a-evil.json", 0o666)
        lab.signal(SIGHUP)
        #expect(lab.logs("policies stay as they were"))
        #expect(lab.log.contains("a-evil.json"))
        #expect(shop.ask("save", "bank", "ann", "pw") == ["-34018"])
    }

    /// How many connections the daemon has let in.
    private static func accepted(_ lab: DaemonLab) throws -> Int {
        let lines = try lab.client().metrics().split(separator: "\n")
        let line = lines.first { $0.hasPrefix("keyfob_accepted_connections_total ") }
        return line.flatMap { $0.split(separator: " ").last.flatMap { Int($0) } } ?? -1
    }
}
