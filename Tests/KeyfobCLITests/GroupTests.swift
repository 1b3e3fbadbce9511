// SPDX-License-Identifier: Apache-2.0
import KeyfobTestSupport
import KeyfobWords
import Testing

@Suite struct GroupTests {
    @Test func `Groups are listed with their number of items`() throws {
        let keychain = try ProgramKeychain()
        _ = try keychain.run(["set", "mail"], input: [1])
        let listed = try keychain.run(["group", "list", "--json"])
        #expect(listed.status == 0)
        #expect(listed.outputText.hasPrefix("[{\"group\": \"user."))
        #expect(listed.outputText.hasSuffix("\"items\": 1}]\n"))
    }

    @Test func `A moved group is the other program's`() throws {
        let keychain = try ProgramKeychain()
        _ = try keychain.run(["set", "mail"], input: [1])
        let before = try keychain.run(["group", "list"]).outputText.split(separator: "\n")[1].split(separator: " ")[0]
        #expect(try keychain.run(["group", "move", String(before), "ACME.shop"]).status == 0)
        #expect(try keychain.run(["get", "mail"]).status == ExitStatus.notFound.rawValue)
        #expect(try keychain.run(["group", "list"]).outputText.contains("ACME.shop"))
    }

    @Test func `Anything but list and move is refused with what there is`() throws {
        let keychain = try ProgramKeychain(initialized: false)
        let refused = try keychain.run(["group", "rename"])
        #expect(refused.status == ExitStatus.usage.rawValue)
        #expect(refused.errorText.contains("keyfob group takes list, or move OLD NEW"))
    }
}
