// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCLI
internal import KeyfobMemory
internal import KeyfobModel
import KeyfobTestSupport
import KeyfobWords
internal import Synchronization
import Testing

@Suite struct AuditTests {
    private let fake = FakeAccess()
    private let shop = Caller(uid: 1000, gid: 100, pid: 42, executable: "/usr/bin/shop", unit: "shop.service")

    private func record(
        _ sequence: UInt64, _ action: AuditAction = .read, caller: Caller? = nil, name: String? = "mail",
        count: Int = 1, result: KeychainError.Code? = nil, note: String? = nil
    ) -> AuditRecord {
        let items =
            (note == nil && result == nil)
            ? [AuditRecord.Item(uuid: .zero, name: name.map { WipedBytes(utf8: $0) }, account: WipedBytes(utf8: "ada"))]
            : []
        let event = AccessEvent(
            action, caller: caller ?? (note == nil ? shop : nil), itemClass: note == nil ? .genericPassword : nil,
            nameDigest: Array(repeating: 0xAB, count: 16), items: items.map(\.uuid),
            itemCount: items.isEmpty ? 0 : count,
            givesValue: !items.isEmpty, result: result, microseconds: 1250)
        return AuditRecord(
            sequence: sequence, time: 86400.5, event: event, items: items, groups: [AccessGroup("ACME.shop")],
            note: note)
    }

    private func run(_ records: [AuditRecord], _ arguments: String...) -> Transcript {
        fake.keychain.state.withLock { $0.auditLog = records }
        return Transcript(["audit"] + arguments, on: fake)
    }

    private var asked: AuditQuery? { fake.keychain.state.withLock { $0.auditQueries.first } }

    @Test func `The log is a table with caller, item, group, result and time`() {
        let other = Caller(uid: 0, gid: 0, pid: 43, executable: "/usr/sbin/cron", unit: nil)
        let shown = run([
            record(1), record(2, .add, caller: other, count: 3), record(3, name: nil), record(4, result: .itemNotFound),
            record(5, .checkpoint, note: "sealed by the token"),
        ])
        #expect(
            shown.text == """
                TIME                  CALLER        OPERATION   ITEM                 GROUP      RESULT        MS
                2001-01-02T00:00:00Z  shop.service  read        mail/ada             ACME.shop  ok            1.2
                2001-01-02T00:00:00Z  cron (0)      add         mail/ada +2          ACME.shop  ok            1.2
                2001-01-02T00:00:00Z  shop.service  read        00000000             ACME.shop  ok            1.2
                2001-01-02T00:00:00Z  shop.service  read        ?abababab            ACME.shop  itemNotFound  1.2
                2001-01-02T00:00:00Z  -             checkpoint  sealed by the token  ACME.shop

                """)
        #expect(shown.status == .success)
    }

    @Test func `What was not found is named by the question`() {
        let shown = run([record(4, result: .itemNotFound)], "--item", "mail/ada")
        #expect(shown.text.contains("read       mail/ada  ACME.shop  itemNotFound"))
    }

    @Test func `JSON has the same and the UUID`() {
        let shown = run([record(1)], "--json")
        #expect(
            shown.text == """
                [
                  {"sequence": 1, "time": "2001-01-02T00:00:00Z", "operation": "read", "uid": 1000, "gid": 100, \
                "pid": 42, "unit": "shop.service", "executable": "/usr/bin/shop", "class": "generic", \
                "items": [{"uuid": "00000000-0000-0000-0000-000000000000", "name": "mail", "account": "ada"}], \
                "count": 1, "groups": ["ACME.shop"], "value": true, "result": "ok", "microseconds": 1250}
                ]

                """)
    }

    @Test func `Everything is shown, however many pages it has`() {
        let shown = run((1...2500).map { record($0) }, "--json")
        #expect(shown.text.split(separator: "\n").count == 2502)
        #expect(fake.keychain.state.withLock { $0.auditQueries.map(\.after) } == [0, 1000, 2000])
    }

    @Test(
        arguments: [
            ("mail", nil, "mail", nil), ("mail/ada", nil, "mail", "ada"), ("a/b/ada", nil, "a/b", "ada"),
            ("a/b/", nil, "a/b", nil), ("a/b", "ada", "a/b", "ada"), ("mail", "", "mail", ""),
        ] as [(String, String?, String, String?)])
    func `An item is a name, or a name and an account`(text: String, account: String?, name: String, wanted: String?) {
        _ = Transcript(["audit", "--item", text] + (account.map { ["--account", $0] } ?? []), on: fake)
        #expect(
            asked?.item
                == AuditQuery.Item(name: WipedBytes(utf8: name), account: wanted.map { WipedBytes(utf8: $0) }))
    }

    @Test func `A caller and a moment are handed on`() {
        _ = run([], "--caller", "shop", "--since", "2001-01-02")
        #expect(asked?.caller == "shop")
        #expect(asked?.since == 86400)
    }

    @Test(arguments: [
        ["--since", "yesterday"], ["--since", "2026-02-30"], ["--account", "ada"], ["list"],
        ["verify", "--since", "2h"],
    ])
    func `What it does not take is a usage failure that opens nothing`(arguments: [String]) {
        #expect(Transcript(["audit"] + arguments, on: fake).status == .usage)
        #expect(fake.keychain.state.withLock { $0.closes } == 0)
    }

    @Test func `No PIN is asked for unless a source is named`() {
        _ = run([record(1)])
        #expect(fake.pinRequests.isEmpty)
        _ = run([record(1)], "--pin-source", "pin")
        #expect(fake.pinRequests.count == 1)
        #expect(fake.keychain.isUnlocked)
    }

    // MARK: - Verify

    @Test func `A sound log is told with what vouches for it`() {
        fake.keychain.state.withLock {
            $0.auditVerification = AuditVerification(lines: 20, first: 5, last: 24, checkpoints: 2, unsealed: 3)
        }
        let run = Transcript(["audit", "verify"], on: fake)
        #expect(
            run.text == """
                lines: 20, from 5 to 24 (the log begins at 5: older files were removed)
                checkpoints that the token vouches for: 2, lines after the last one: 3

                """)
        #expect(run.status == .success)
    }

    @Test func `A log with faults names each, and the status is that of damage`() {
        fake.keychain.state.withLock {
            $0.auditVerification = AuditVerification(
                lines: 8, first: 1, last: 10, checkpoints: 1, unsealed: 0,
                findings: [
                    .init(.removed, sequence: 4, last: 5, file: "audit.log.1", offset: 512),
                    .init(.changed, sequence: 7, file: "audit.log", offset: 1024),
                ])
        }
        let run = Transcript(["audit", "verify"], on: fake)
        #expect(
            run.text.hasSuffix(
                """
                FAULT    LINES  FILE         OFFSET
                removed  4-5    audit.log.1  512
                changed  7      audit.log    1024

                """))
        #expect(run.status == .damaged)
        let json = Transcript(["audit", "verify", "--json"], on: fake)
        #expect(
            json.text.contains(
                "{\"fault\": \"removed\", \"first\": 4, \"last\": 5, \"file\": \"audit.log.1\", \"offset\": 512}"))
        #expect(json.status == .damaged)
    }

    @Test func `The program lists and verifies the log of a keychain that asks for one`() throws {
        let keychain = try ProgramKeychain()
        _ = try keychain.shell(
            "sed -i 's/^{$/{ \"audit\": \"on\",/' \"$KEYFOB_HOME/config.json\" && printf x | \"$0\" set mail -a ada --pin-source \"$PIN\""
        )
        let listed = try keychain.run(["audit", "--item", "mail/ada"])
        #expect(listed.status == 0, "\(listed.errorText)")
        #expect(listed.outputText.contains("mail/ada"))
        #expect(listed.outputText.contains("add"))
        let sound = try keychain.run(["audit", "verify"], withPIN: false)
        #expect(sound.status == 0, "\(sound.outputText) \(sound.errorText)")
        _ = try keychain.shell("sed -i 2d \"$KEYFOB_HOME/audit/audit.log\"")
        let broken = try keychain.run(["audit", "verify"], withPIN: false)
        #expect(broken.status == ExitStatus.damaged.rawValue)
        #expect(broken.outputText.contains("removed"))
    }
}

@Suite struct PointInTimeTests {
    @Test(
        arguments: [
            ("90s", 910), ("30m", -800), ("2h", -6200), ("1d", -85_400), ("1w", -603_800), ("2001-01-01", 0),
            ("2001-01-01T01:00", 3600), ("2001-01-01T01:00:07Z", 3607), ("2000-02-29", -26_524_800),
        ] as [(String, Double)])
    func `A moment is a time before now, or a date in UTC`(text: String, seconds: Double) {
        #expect(PointInTime.parse(text, now: 1000) == seconds)
    }

    @Test(arguments: [
        "", "h", "-2h", "2", "2 h", "2001-13-01", "2001-02-29", "2001-01-01T24:00", "2001-01-01 10:00", "01-01-01",
        "2001-01-01T1",
    ])
    func `What is no moment is refused`(text: String) {
        #expect(PointInTime.parse(text, now: 0) == nil)
    }
}
