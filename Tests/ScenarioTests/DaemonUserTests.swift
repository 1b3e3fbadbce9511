// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobClient
import KeyfobTestSupport
import Testing

/// Services of different users, and what the daemon lets each see.
@Suite struct DaemonUserTests {
    private static let policies = [
        "shop": """
        { "match": {"user": "61001"}, "application-identifier": "ACME.shop",
          "keychain-access-groups": ["ACME.shop", "ACME.shared"] }
        """,
        "mail": """
        { "match": {"user": "61002"}, "application-identifier": "ACME.mail",
          "keychain-access-groups": ["ACME.mail", "ACME.shared"] }
        """,
    ]

    private func lab() throws -> DaemonLab {
        let lab = try DaemonLab(policies: Self.policies)
        try lab.start()
        return lab
    }

    @Test func `Services of two users share an item through the group that both are given`() throws {
        let lab = try lab()
        #expect(try lab.run(["save", "bank", "ann", "pw"], as: .shop, group: "ACME.shared") == ["0"])
        #expect(try lab.run(["load", "bank", "ann"], as: .mail) == ["0", "pw"])
        #expect(try lab.run(["overwrite", "bank", "ann", "new"], as: .mail) == ["0"])
        #expect(try lab.run(["load", "bank", "ann"], as: .shop) == ["0", "new"])
        #expect(try lab.run(["remove", "bank", "ann"], as: .mail) == ["0"])
        #expect(try lab.run(["load", "bank", "ann"], as: .shop) == ["-25300"])
    }

    @Test func `What a service keeps for itself is to another user's service as if it did not exist`() throws {
        let lab = try lab()
        #expect(try lab.run(["save", "bank", "ann", "pw"], as: .shop) == ["0"])
        let reference = try lab.run(["reference", "bank", "ann"], as: .shop)
        #expect(reference.first == "0")
        let mail = try ConnectedProgram(lab, as: .mail)
        let word = reference.last ?? ""
        for account in ["ann", "nobody"] {
            // An account that is not there is answered the same, to the letter.
            #expect(mail.ask("load", "bank", account) == ["-25300"])
            #expect(mail.ask("exists", "bank", account) == ["-25300"])
            #expect(mail.ask("overwrite", "bank", account, "stolen") == ["-25300"])
            #expect(mail.ask("move", "bank", account, "ACME.mail") == ["-25300"])
            #expect(mail.ask("remove", "bank", account) == ["-25300"])
        }
        #expect(mail.ask("load-reference", word) == mail.ask("load-reference", Self.unknown(word)))
        #expect(mail.ask("accounts", "bank") == ["-25300"])
        #expect(mail.ask("all") == ["-25300"])
        #expect(mail.ask("remove-all", "bank") == ["-25300"])
        // The same primary key is free in its own group.
        #expect(mail.ask("save", "bank", "ann", "mine") == ["0"])
        #expect(mail.ask("all") == ["0", "bank/ann"])
        #expect(try lab.run(["load", "bank", "ann"], as: .shop) == ["0", "pw"])
    }

    @Test(arguments: ["ACME.shop", "ACME.nobody", "user.61001"])
    func `A group that a service was not given is refused, whether it exists or not`(group: String) throws {
        let lab = try lab()
        #expect(try lab.run(["save", "bank", "ann", "pw"], as: .shop) == ["0"])
        for words in [["save", "bank", "eve", "x"], ["load", "bank", "ann"], ["remove", "bank", "ann"], ["all"]] {
            #expect(try lab.run(words, as: .mail, group: group) == ["-34018"])
        }
        #expect(try lab.run(["load", "bank", "ann"], as: .shop) == ["0", "pw"])
    }

    @Test func `Only its owner may lock, unlock, verify, see or move groups and measure, and no PIN reaches the token`()
        throws
    {
        let lab = try lab()
        let before = try lab.tokenCalls("C_Login")
        #expect(before > 0)
        let names = ["lock", "unlock", "final unlock", "groups", "move", "change PIN", "unblock", "verify", "metrics"]
        #expect(try lab.run(["owner-calls"], as: .shop) == names.map { "\($0) refused" })
        #expect(try lab.tokenCalls("C_Login") == before)
        #expect(try lab.run(["save", "bank", "ann", "pw"], as: .shop) == ["0"])
        // The daemon's own user may, so that the above can fail.
        #expect(try lab.run(["owner-calls"], as: lab.user).first == "lock allowed")
    }

    @Test func `The socket of a user's daemon refuses another user`() throws {
        let lab = try DaemonLab()
        try lab.start(["--user"])
        #expect(try lab.run(["save", "bank", "ann", "pw"], as: lab.user) == ["0"])
        for user in [TestUser.shop, .mail, TestUser(65534)] {
            #expect(try lab.run(["load", "bank", "ann"], as: user) == ["-25291"])
            let status = try lab.keyfob(["status"], as: user)
            #expect(status.status == 11, "\(status.error)")
            #expect(status.error.contains(lab.socket))
        }
    }

    @Test func `The socket of the machine's daemon refuses who is not in its group`() throws {
        let lab = try lab()
        #expect(try lab.run(["load", "bank", "ann"], as: TestUser(61_001)) == ["-25291"])
        #expect(try lab.run(["load", "bank", "ann"], as: .shop) == ["-25300"])
    }

    /// A reference of the same form to no item.
    private static func unknown(_ reference: String) -> String {
        var bytes = Data(base64Encoded: reference) ?? Data()
        if let last = bytes.indices.last { bytes[last] ^= 0xFF }
        return bytes.base64EncodedString()
    }
}
