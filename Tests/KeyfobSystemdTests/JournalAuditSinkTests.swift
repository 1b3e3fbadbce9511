// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import KeyfobSystemd
import KeyfobTestSupport
import Testing

struct JournalAuditSinkTests {
    private let event = AccessEvent(
        .read, caller: Caller(uid: 1000, gid: 100, pid: 42, executable: "/usr/bin/shop", unit: "shop.service"),
        itemClass: .genericPassword, nameDigest: [0xAB] + Array(repeating: 0, count: 15),
        accountDigest: Array(repeating: 1, count: 16), scopes: [Array(repeating: 2, count: 16)],
        items: [.zero, .zero], itemCount: 2, givesValue: true, microseconds: 153)

    private func values(_ name: String, _ event: AccessEvent) -> [String] {
        JournalAuditSink.fields(of: event, sequence: 7).filter { $0.name == name }.map(\.value)
    }

    @Test(arguments: [
        ("MESSAGE", ["read by shop.service: ok"]), ("PRIORITY", ["6"]), ("SYSLOG_IDENTIFIER", ["keyfob"]),
        ("KEYFOB_OPERATION", ["read"]), ("KEYFOB_RESULT", ["0"]), ("KEYFOB_DURATION_USEC", ["153"]),
        ("KEYFOB_AUDIT_SEQUENCE", ["7"]), ("KEYFOB_CALLER_UID", ["1000"]), ("KEYFOB_CALLER_GID", ["100"]),
        ("KEYFOB_CALLER_PID", ["42"]), ("KEYFOB_CALLER_UNIT", ["shop.service"]),
        ("KEYFOB_CALLER_EXE", ["/usr/bin/shop"]), ("KEYFOB_CLASS", ["genp"]),
        ("KEYFOB_NAME_DIGEST", ["ab000000000000000000000000000000"]),
        ("KEYFOB_ACCOUNT_DIGEST", ["01010101010101010101010101010101"]),
        ("KEYFOB_SCOPE", ["02020202020202020202020202020202"]),
        ("KEYFOB_ITEM", ["00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000"]),
        ("KEYFOB_ITEM_COUNT", ["2"]), ("KEYFOB_VALUE", ["1"]),
    ])
    func `An access has the fields of the documentation`(name: String, expected: [String]) {
        #expect(values(name, event) == expected)
    }

    @Test func `What the keychain does by itself has no caller and no item`() {
        let names = Set(JournalAuditSink.fields(of: AccessEvent(.start), sequence: 1).map(\.name))
        #expect(
            names == [
                "MESSAGE", "MESSAGE_ID", "PRIORITY", "SYSLOG_IDENTIFIER", "KEYFOB_OPERATION", "KEYFOB_RESULT",
                "KEYFOB_DURATION_USEC", "KEYFOB_AUDIT_SEQUENCE",
            ])
    }

    @Test func `A lock that nobody asked for has its reason, and nothing else has one`() {
        #expect(values("KEYFOB_LOCK_REASON", AccessEvent(.lock, lockReason: .suspend)) == ["suspend"])
        #expect(values("KEYFOB_LOCK_REASON", AccessEvent(.lock)).isEmpty)
        #expect(values("KEYFOB_LOCK_REASON", event).isEmpty)
    }

    @Test func `A refusal is told louder than an answer, and an item that is missing is an answer`() {
        var refused = event
        refused.result = .missingEntitlement
        #expect(values("PRIORITY", refused) == ["5"])
        #expect(values("KEYFOB_RESULT", refused) == ["6"])
        refused.result = .itemNotFound
        #expect(values("PRIORITY", refused) == ["6"])
    }

    @Test func `Each kind of line has an identity of its own, of 32 hexadecimal digits`() {
        let all = AuditAction.allCases.map(\.messageID)
        #expect(Set(all).count == AuditAction.allCases.count)
        for id in all { #expect(id.count == 32 && id.allSatisfy { $0.isHexDigit && !$0.isUppercase }) }
    }

    @Test func `Names of fields are what the journal takes from anybody`() {
        for field in JournalAuditSink.fields(of: event, sequence: 7) {
            #expect(field.name.first?.isLetter == true)
            #expect(field.name.allSatisfy { $0 == "_" || $0.isUppercase && $0.isASCII })
        }
    }

    @Test func `Each access is sent once, and a fault of the journal costs nothing else`() {
        let sent = Shared(0)
        let sink = JournalAuditSink { fields in
            sent.change { $0 += 1 }
            return 105
        }
        for number in 0..<UInt64(3) { sink.note(event, sequence: number) }
        #expect(sent.now == 3)
    }

    @Test func `Where there is no journal sending is no fault`() {
        #expect(Journal.send([JournalField("MESSAGE", "a test of keyfob\nin two lines")]) == 0)
    }
}
