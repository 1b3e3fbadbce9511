// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobTestSupport
import Testing

/// The scenarios of the classic wrappers, each step in a process of its own, through the public API alone.
///
/// The programs are told which keychain by their environment (`KEYFOB_EMBEDDED=1`), their code knows nothing of it.
@Suite struct OutlivingTests {
    @Test func `A password outlives the program that saved it and the file of that program`() throws {
        let keychain = try ProgramKeychain()
        let first = try keychain.copyProgram(as: "app-1.0")
        #expect(try keychain.run(["save", "mail", "张三", "pässwörd"], program: first) == ["0"])
        try FileManager.default.removeItem(atPath: first)
        let second = try keychain.copyProgram(as: "app-2.0")
        #expect(try keychain.run(["load", "mail", "张三"], program: second) == ["0", "pässwörd"])
    }

    @Test func `A saved password is overwritten by another process`() throws {
        let keychain = try ProgramKeychain()
        #expect(try keychain.run(["save", "mail", "ann", "old"]) == ["0"])
        #expect(try keychain.run(["overwrite", "mail", "ann", "new"]) == ["0"])
        #expect(try keychain.run(["load", "mail", "ann"]) == ["0", "new"])
    }

    @Test func `A second save of the same account is refused and changes nothing`() throws {
        let keychain = try ProgramKeychain()
        #expect(try keychain.run(["save", "mail", "ann", "first"]) == ["0"])
        #expect(try keychain.run(["save", "mail", "ann", "second"]) == ["-25299"])
        #expect(try keychain.run(["load", "mail", "ann"]) == ["0", "first"])
    }

    @Test func `All accounts of a service are listed, and those of another are not`() throws {
        let keychain = try ProgramKeychain()
        for account in ["ann", "bob", "张三"] { _ = try keychain.run(["save", "mail", account, "x"]) }
        _ = try keychain.run(["save", "news", "eve", "x"])
        #expect(try keychain.run(["accounts", "mail"]) == ["0", "ann", "bob", "张三"])
    }

    @Test func `One account is removed and its neighbours stay`() throws {
        let keychain = try ProgramKeychain()
        for account in ["ann", "bob"] { _ = try keychain.run(["save", "mail", account, account]) }
        #expect(try keychain.run(["remove", "mail", "ann"]) == ["0"])
        #expect(try keychain.run(["load", "mail", "ann"]) == ["-25300"])
        #expect(try keychain.run(["load", "mail", "bob"]) == ["0", "bob"])
        #expect(try keychain.run(["remove", "mail", "ann"]) == ["-25300"])
    }

    @Test func `All accounts of a service are removed and those of another stay`() throws {
        let keychain = try ProgramKeychain()
        for account in ["ann", "bob"] { _ = try keychain.run(["save", "mail", account, "x"]) }
        _ = try keychain.run(["save", "news", "eve", "x"])
        #expect(try keychain.run(["remove-all", "mail"]) == ["0"])
        #expect(try keychain.run(["accounts", "mail"]) == ["-25300"])
        #expect(try keychain.run(["accounts", "news"]) == ["0", "eve"])
    }

    @Test func `After a restart without a login only the always classes are readable`() throws {
        let keychain = try ProgramKeychain()
        _ = try keychain.run(["states", "fill"])
        let states = try keychain.run(["states"])
        #expect(
            Set(states) == ["ak locked", "aku locked", "akpu locked", "ck locked", "cku locked", "dk ok", "dku ok"])
    }

    @Test func `After a restart without a login a search on the token finds the always keys and nothing else`() throws {
        let keychain = try ProgramKeychain()
        let classes = try keychain.run(["objects"]).compactMap { $0.split(separator: "/").dropFirst(2).first }
        #expect(classes.sorted() == ["dk", "dku"])
    }

    @Test func `Without an embedded keychain the same program is told that there is none`() throws {
        let keychain = try ProgramKeychain()
        let lines = try keychain.run(["load", "mail", "ann"], environment: ["KEYFOB_EMBEDDED": "0"])
        #expect(lines == ["-25291"])
    }
}

/// Two programs, told apart by their files, and what they may see of each other.
@Suite struct SharedGroupTests {
    private struct Programs {
        let keychain: ProgramKeychain
        let shop: String
        let mail: String

        init() throws {
            keychain = try ProgramKeychain()
            shop = try keychain.copyProgram(as: "shop")
            mail = try keychain.copyProgram(as: "mail")
            try FileManager.default.createDirectory(
                atPath: keychain.policies, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for (name, path) in [("shop", shop), ("mail", mail)] {
                let policy = """
                    { "match": {"executable": "\(path)"}, "application-identifier": "ACME.\(name)",
                      "keychain-access-groups": ["ACME.\(name)", "ACME.shared"] }
                    """
                try policy.write(toFile: keychain.policies + "/\(name).json", atomically: true, encoding: .utf8)
            }
        }

        func run(_ program: String, _ words: [String], group: String? = nil) throws -> [String] {
            try keychain.run(words, program: program, environment: group.map { ["ITEM_GROUP": $0] } ?? [:])
        }
    }

    @Test func `An item in a group that both are given is shared`() throws {
        let programs = try Programs()
        #expect(try programs.run(programs.shop, ["save", "bank", "ann", "pw"], group: "ACME.shared") == ["0"])
        #expect(try programs.run(programs.mail, ["load", "bank", "ann"]) == ["0", "pw"])
        #expect(try programs.run(programs.mail, ["remove", "bank", "ann"]) == ["0"])
        #expect(try programs.run(programs.shop, ["load", "bank", "ann"]) == ["-25300"])
    }

    @Test func `An item of the program's own group is not seen by the other`() throws {
        let programs = try Programs()
        #expect(try programs.run(programs.shop, ["save", "bank", "ann", "pw"]) == ["0"])
        #expect(try programs.run(programs.mail, ["load", "bank", "ann"]) == ["-25300"])
        #expect(try programs.run(programs.mail, ["remove", "bank", "ann"]) == ["-25300"])
        #expect(try programs.run(programs.shop, ["load", "bank", "ann"]) == ["0", "pw"])
    }

    @Test func `A group that a program is not given is refused`() throws {
        let programs = try Programs()
        #expect(try programs.run(programs.shop, ["save", "bank", "ann", "pw"], group: "ACME.mail") == ["-34018"])
        #expect(try programs.run(programs.shop, ["load", "bank", "ann"], group: "ACME.mail") == ["-34018"])
    }

    @Test func `A program that no policy names has a group of its user alone`() throws {
        let programs = try Programs()
        #expect(try programs.run(programs.shop, ["save", "bank", "ann", "pw"], group: "ACME.shared") == ["0"])
        #expect(try programs.keychain.run(["load", "bank", "ann"]) == ["-25300"])
    }
}
