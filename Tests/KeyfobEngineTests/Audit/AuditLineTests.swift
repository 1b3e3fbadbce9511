// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import KeyfobModel
import KeyfobTestSupport
import Testing

@testable import KeyfobEngine

@Suite struct AuditLineTests {
    private static let previous = unsafe Digest256(sha256: [UInt8]().span.bytes)

    private static func line(_ content: AuditLine.Content) -> AuditLine {
        AuditLine(sequence: 7, time: 1_796_032_800_123_456, previous: previous, content: content)
    }

    @Test func `A line has the members of the documentation in their order`() {
        let event = AccessEvent(
            .read,
            caller: Caller(uid: 1000, gid: 100, pid: 42, startTime: 5, executable: "/bin/a\"b", unit: "shop.service"),
            itemClass: .genericPassword, nameDigest: Array(0..<16), accountDigest: Array(16..<32),
            scopes: [Array(0..<16)],
            items: [.zero], itemCount: 1, givesValue: true, microseconds: 153)
        let text = String(decoding: Self.line(.access(event)).bytes, as: UTF8.self)
        let hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        #expect(
            text == "{\"seq\":7,\"time\":\"2026-11-30T10:00:00.123456Z\",\"prev\":\"\(hash)\",\"op\":\"read\","
                + "\"uid\":1000,\"gid\":100,\"pid\":42,\"started\":5,\"unit\":\"shop.service\",\"exe\":\"/bin/a\\\"b\","
                + "\"class\":\"genp\",\"name\":\"000102030405060708090a0b0c0d0e0f\","
                + "\"account\":\"101112131415161718191a1b1c1d1e1f\",\"scopes\":[\"000102030405060708090a0b0c0d0e0f\"],"
                + "\"items\":[\"00000000-0000-0000-0000-000000000000\"],\"count\":1,\"value\":true,\"result\":0,\"us\":153}"
        )
    }

    @Test func `Any line comes back from its bytes`() throws {
        var random = SeededRandom.fresh()
        for _ in 0..<2000 {
            let line = Self.random(&random)
            #expect(AuditLine(ArraySlice(line.bytes)) == line, "seed \(random.seed)")
        }
    }

    @Test func `Whatever bytes decode are what encoding gives`() throws {
        var random = SeededRandom.fresh()
        for _ in 0..<2000 {
            var bytes = Self.random(&random).bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: place)
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            if let line = AuditLine(bytes[...]) { #expect(line.bytes == bytes, "seed \(random.seed)") }
        }
    }

    @Test(arguments: [
        "", "{}", "[]", "{\"seq\":1}", "{\"seq\":99999999999999999999999,\"time\":\"", "{\"seq\":1,\"time\":\"2026-11",
    ])
    func `What is no line does not decode`(text: String) {
        #expect(AuditLine(ArraySlice(text.utf8)) == nil)
    }

    @Test func `Members in another order, blanks and empty lists do not decode`() {
        let text = String(decoding: Self.line(.access(AccessEvent(.lock))).bytes, as: UTF8.self)
        #expect(AuditLine(ArraySlice(text.utf8)) != nil)
        for changed in [
            text.replacing("\"result\":0,\"us\":0", with: "\"us\":0,\"result\":0"), text.replacing(",", with: ", "),
            text.replacing(",\"result\"", with: ",\"items\":[],\"result\""),
            text.replacing("\"seq\":7", with: "\"seq\":07"),
            text.replacing("11-30", with: "11-31"),
        ] { #expect(AuditLine(ArraySlice(changed.utf8)) == nil, "\(changed)") }
    }

    @Test(arguments: LockReason.allCases)
    func `A lock comes back with its reason, which no other line may have`(reason: LockReason) {
        let line = Self.line(.access(AccessEvent(.lock, lockReason: reason)))
        #expect(AuditLine(line.bytes[...]) == line)
        let text = String(decoding: line.bytes, as: UTF8.self)
        #expect(text.contains(",\"op\":\"lock\",\"reason\":\"\(reason.word)\",\"result\":0"))
        for changed in [
            text.replacing("\"lock\"", with: "\"unlock\""), text.replacing(reason.word, with: "whim"),
        ] { #expect(AuditLine(ArraySlice(changed.utf8)) == nil, "\(changed)") }
    }

    @Test func `The longest names make a line that is not too long`() {
        let long = String(repeating: "\u{1}é", count: 10_000)
        let event = AccessEvent(
            .read, caller: Caller(uid: .max, gid: .max, pid: .max, startTime: .max, executable: long, unit: long),
            scopes: Array(repeating: Array(0..<16), count: 16), items: Array(repeating: .zero, count: 16),
            itemCount: .max, microseconds: .max)
        let line = Self.line(.access(event))
        #expect(line.bytes.count <= AuditLine.sizeLimit)
        #expect(AuditLine(ArraySlice(line.bytes)) != nil)
    }

    @Test(arguments: [0, 951_782_400_000_000, 1_709_164_799_999_999, 253_402_300_799_999_999] as [Int64])
    func `A moment comes back from its text`(moment: Int64) {
        var text: [UInt8] = []
        AuditTime.write(moment, to: &text)
        #expect(text.count == AuditTime.textSize)
        #expect(AuditTime.parse(text[...]) == moment)
    }

    private static func random(_ random: inout SeededRandom) -> AuditLine {
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }
        func maybe<T>(_ value: T) -> T? { Bool.random(using: &random) ? value : nil }
        let content: AuditLine.Content
        switch Int.random(in: 0..<6, using: &random) {
        case 0: content = .checkpoint(sealed: bytes(Int.random(in: 0..<90, using: &random)))
        case 1:
            let fault = AuditRecovery.Fault.allCases.randomElement(using: &random) ?? .torn
            content = .recovered(AuditRecovery(fault: fault, dropped: Int.random(in: 0...9999, using: &random)))
        case 2: content = .lost(Int.random(in: 0...99, using: &random))
        default:
            var event = AccessEvent([AuditAction.add, .read, .find, .unlock].randomElement(using: &random) ?? .add)
            event.caller = maybe(
                Caller(
                    uid: UInt32.random(in: 0 ... .max, using: &random), gid: 7,
                    pid: Int32.random(in: 1 ... .max, using: &random),
                    startTime: UInt64.random(in: 0...3, using: &random),
                    executable: maybe("/é\"\\\u{7F}\n" + String(Int.random(in: 0...9, using: &random))), unit: maybe("")
                ))
            event.itemClass = maybe(.internetPassword)
            event.nameDigest = maybe(bytes(16))
            event.accountDigest = maybe(bytes(16))
            event.scopes = (0..<Int.random(in: 0...16, using: &random)).map { _ in bytes(16) }
            event.items = (0..<Int.random(in: 0...16, using: &random)).compactMap { _ in ItemUUID(bytes(16)) }
            event.itemCount = Int.random(in: 0...99, using: &random)
            event.givesValue = Bool.random(using: &random)
            event.result = maybe(.itemNotFound)
            event.microseconds = Int64.random(in: 0 ... .max, using: &random)
            content = .access(event)
        }
        return AuditLine(
            sequence: UInt64.random(in: 0 ... .max, using: &random),
            time: Int64.random(in: 0...253_402_300_799_999_999, using: &random),
            previous: unsafe Digest256(sha256: bytes(3).span.bytes), content: content)
    }
}
