// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobEngine
import KeyfobModel
import KeyfobTestSupport
import Testing

/// Which callers the files of `access.d` give a group.
@Suite(.lendsTokens) struct AccessPolicyTests {
    private let group = AccessGroup("ACME.shop")

    private func caller(
        uid: UInt32 = 1234, gid: UInt32 = 1235, executable: String? = "/usr/bin/shop", unit: String? = "shop.service"
    ) -> Caller {
        Caller(uid: uid, gid: gid, pid: 1, executable: executable, unit: unit)
    }

    /// Whether each caller is given the group by a rule that matches by those words.
    private func given(_ match: String, _ callers: Caller...) throws -> [Bool] {
        let keychain = try TestKeychain()
        let folder = keychain.home.path + "/access.d"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let rule = "{ \"match\": {\(match)}, \"application-identifier\": \"ACME.shop\" }"
        try rule.write(toFile: folder + "/shop.json", atomically: true, encoding: .utf8)
        try keychain.reopen()
        return try callers.map { try keychain.engine.service(for: $0).isEntitled(to: group, forWriting: true) }
    }

    @Test func `A rule by user matches that user, by name and by number`() throws {
        #expect(try given("\"user\": \"root\"", caller(uid: 0), caller()) == [true, false])
        #expect(try given("\"user\": \"1234\"", caller(), caller(uid: 1235)) == [true, false])
    }

    @Test func `A rule by group matches that group, by name and by number`() throws {
        #expect(try given("\"group\": \"root\"", caller(gid: 0), caller()) == [true, false])
        #expect(try given("\"group\": \"1235\"", caller(), caller(gid: 1234)) == [true, false])
    }

    @Test func `A rule by executable matches that path, and no caller whose path is unknown`() throws {
        let match = "\"executable\": \"/usr/bin/shop\""
        let callers = (caller(), caller(executable: "/tmp/shop"), caller(executable: nil))
        #expect(try given(match, callers.0, callers.1, callers.2) == [true, false, false])
    }

    @Test func `A rule by unit matches that unit, and no caller outside of one`() throws {
        let match = "\"unit\": \"shop.service\""
        #expect(try given(match, caller(), caller(unit: "mail.service"), caller(unit: nil)) == [true, false, false])
    }

    @Test func `Everything that a rule names must hold`() throws {
        let match = "\"user\": \"1234\", \"unit\": \"shop.service\""
        #expect(try given(match, caller(), caller(uid: 1), caller(unit: nil)) == [true, false, false])
    }

    @Test func `A caller that no rule names has the group of its user alone`() throws {
        let service = try TestKeychain().engine.service(for: caller(uid: 0))
        #expect(try service.isEntitled(to: AccessGroup("user.root"), forWriting: true))
        #expect(try !service.isEntitled(to: group, forWriting: false))
    }
}
