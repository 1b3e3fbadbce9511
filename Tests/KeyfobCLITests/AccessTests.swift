// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobCLI
internal import KeyfobModel
internal import KeyfobTestSupport
internal import KeyfobWords
internal import Testing

struct AccessTests {
    private let fake = FakeAccess()
    private let rule = RuleReport(
        file: "/etc/keyfob/access.d/shop.json", conditions: ["unit=shop.service", "user=shop"],
        applicationIdentifier: "ACME.shop", accessGroups: ["ACME.shared"])

    @Test func `Check lists the rules of a file in aligned columns`() {
        fake.rules = [
            rule, RuleReport(file: "b.json", conditions: [], applicationIdentifier: nil, accessGroups: ["x", "y"]),
        ]
        #expect(
            Transcript(["access", "check", "shop.json"], on: fake).text
                == """
                FILE                            MATCHES                       IDENTIFIER  GROUPS
                /etc/keyfob/access.d/shop.json  unit=shop.service, user=shop  ACME.shop   ACME.shared
                b.json                          everybody                     user.NAME   x, y

                """.replacing("FILE                           MATCHES", with: "FILE                            MATCHES")
        )
    }

    @Test func `Who names the process, the rule and the groups in order`() {
        fake.rules = [rule]
        #expect(
            Transcript(["access", "who", "4711"], on: fake).text == """
                process        4711, started at tick 77
                user           ada (1000)
                groups         100, 4
                executable     /usr/bin/shop
                unit           none
                rule           /etc/keyfob/access.d/shop.json: unit=shop.service, user=shop
                identifier     ACME.shop
                access groups  ACME.shared, ACME.shop

                """)
    }

    @Test func `Who in JSON has the same facts`() throws {
        let run = Transcript(["access", "who", "4711", "--json"], on: fake)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any])
        #expect(json["pid"] as? Int == 4711)
        #expect(json["rule"] is NSNull)
        #expect(json["accessGroups"] as? [String] == ["ACME.shared", "ACME.shop"])
    }

    @Test func `A broken policy names file and place and ends with status 78`() throws {
        let keychain = try ProgramKeychain(initialized: false)
        let file = try keychain.write("bad.json", "{\"match\": {}, \"groups\": []}")
        let refused = try keychain.run(["access", "check", file], withPIN: false)
        #expect(refused.status == 78)
        #expect(refused.errorText.contains("\(file): groups: is no member of a rule"))
    }

    @Test func `Every broken policy is told of, not the first alone`() throws {
        let keychain = try ProgramKeychain(initialized: false)
        let first = try keychain.write("a.json", "{\"match\": 1}")
        let good = try keychain.write("b.json", "{\"match\": {}}")
        let last = try keychain.write("c.json", "nonsense")
        let refused = try keychain.run(["access", "check", first, good, last], withPIN: false)
        #expect(refused.status == 78)
        #expect(refused.errorText.contains(first) && refused.errorText.contains(last))
        #expect(!refused.errorText.contains(good) && refused.outputText.isEmpty)
    }

    @Test func `A policy that others may write to is refused`() throws {
        let keychain = try ProgramKeychain(initialized: false)
        let file = try keychain.write("open.json", "{\"match\": {}}", mode: 0o666)
        let refused = try keychain.run(["access", "check", file], withPIN: false)
        #expect(refused.status == ExitStatus.denied.rawValue)
        #expect(refused.errorText.contains(file))
    }

    @Test func `Who knows a running process by the policies of the folder`() throws {
        let keychain = try ProgramKeychain()
        let number = String(ProcessInfo.processInfo.processIdentifier)
        let run = try keychain.run(["access", "who", number, "--json"], withPIN: false)
        #expect(run.status == 0)
        #expect(run.outputText.contains("\"pid\": \(number)"))
        #expect(run.outputText.contains("\"accessGroups\": [\"user."))
    }

    @Test(arguments: [
        ["access"], ["access", "check"], ["access", "who"], ["access", "who", "me"], ["access", "x", "y"],
    ])
    func `Anything else is refused with what there is`(arguments: [String]) {
        #expect(Transcript(arguments, on: fake).status == .usage)
    }
}
