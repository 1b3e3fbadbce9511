// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import Testing

@testable import KeyfobWire

/// Each cap lets its number through and not one more.
struct CapTests {
    private func outcome(_ frame: [UInt8]) throws -> WireError.Fault? {
        do {
            #expect(try again(frame) == frame)
            return nil
        } catch let error as WireError { return error.fault }
    }

    @Test(arguments: [(0, nil), (1, .tooLarge)] as [(Int, WireError.Fault?)])
    func `A value has its cap`(_ more: Int, _ fault: WireError.Fault?) throws {
        let value = try SecretBytes(count: WireLimits.valueSize + more)
        let add = try bytes(.add(AddRequest(itemClass: .genericPassword, attributes: [:], value: value.copy())))
        #expect(try outcome(add) == fault)
        let update = try bytes(.update(UpdateRequest(ItemQuery(itemClass: .genericPassword), value: value)))
        #expect(try outcome(update) == fault)
    }

    @Test(arguments: [(0, nil), (1, .tooLarge)] as [(Int, WireError.Fault?)])
    func `A PIN has its cap`(_ more: Int, _ fault: WireError.Fault?) throws {
        let pin = try SecretBytes(count: WireLimits.pinSize + more)
        #expect(try outcome(bytes(.unlock(UnlockRequest(pin: pin, finalTry: false)))) == fault)
    }

    @Test(arguments: [(0, nil), (1, .tooLarge)] as [(Int, WireError.Fault?)])
    func `The attributes of an item have their cap`(_ more: Int, _ fault: WireError.Fault?) throws {
        var attributes: AttributeSet = [:]
        for name in 0..<(WireLimits.attributes + more) {
            attributes[AttributeName(rawValue: UInt32(name))] = .number(1)
        }
        #expect(try outcome(bytes(.add(AddRequest(itemClass: .genericPassword, attributes: attributes)))) == fault)
        let result = MatchResult(items: [ItemResult(itemClass: .genericPassword, attributes: attributes)])
        #expect(try outcome(bytes(.items(result))) == fault)
    }

    @Test(arguments: [(0, nil), (1, .tooLarge)] as [(Int, WireError.Fault?)])
    func `A text has its cap, wherever it stands`(_ more: Int, _ fault: WireError.Fault?) throws {
        let text = String(repeating: "x", count: WireLimits.textSize + more)
        let query = ItemQuery(itemClass: .genericPassword, attributes: [.account: .text(text)])
        #expect(try outcome(bytes(.delete(DeleteRequest(query)))) == fault)
        let data: AttributeSet = [.generic: .data(WipedBytes(utf8: text))]
        #expect(try outcome(bytes(.delete(DeleteRequest(ItemQuery(itemClass: .key, attributes: data))))) == fault)
        #expect(try outcome(bytes(.isEntitled(AccessGroup(text), forWriting: false))) == fault)
        #expect(try outcome(bytes(.text(text))) == fault)
        #expect(try outcome(bytes(.failure(KeychainError(.busy, .serve, subject: .path(text))))) == fault)
    }

    @Test(arguments: [(0, nil), (1, .tooLarge)] as [(Int, WireError.Fault?)])
    func `The text filters of a query have their cap`(_ more: Int, _ fault: WireError.Fault?) throws {
        let filter = TextFilter(.label, .contains, WipedBytes(utf8: "a"))
        let filters = [TextFilter](repeating: filter, count: WireLimits.textFilters + more)
        let query = ItemQuery(itemClass: .genericPassword, textFilters: filters)
        #expect(try outcome(bytes(.delete(DeleteRequest(query)))) == fault)
    }

    @Test(arguments: [(0, nil), (1, .tooLarge)] as [(Int, WireError.Fault?)])
    func `The lines of the audit log have their cap, in the question and in the answer`(
        _ more: Int, _ fault: WireError.Fault?
    ) throws {
        let count = WireLimits.auditRecords + more
        #expect(try outcome(bytes(.audit(AuditQuery(limit: count)))) == fault)
        let record = AuditRecord(sequence: 1, time: 0, event: AccessEvent(.lock))
        #expect(try outcome(bytes(.auditRecords([AuditRecord](repeating: record, count: count)))) == fault)
    }

    @Test(arguments: [(0, nil), (1, .tooLarge)] as [(Int, WireError.Fault?)])
    func `The items and scopes of an access have their cap`(_ more: Int, _ fault: WireError.Fault?) throws {
        let count = AccessEvent.namedLimit + more
        let items = AccessEvent(.read, items: [ItemUUID](repeating: .zero, count: count))
        #expect(try outcome(bytes(.auditRecords([AuditRecord(sequence: 1, time: 0, event: items)]))) == fault)
        let scopes = AccessEvent(.read, scopes: [[UInt8]](repeating: ItemUUID.zero.bytes, count: count))
        #expect(try outcome(bytes(.auditRecords([AuditRecord(sequence: 1, time: 0, event: scopes)]))) == fault)
    }

    @Test func `A body has its cap, known from the header`() throws {
        let most = UInt32(WireLimits.bodySize)
        let header = FrameHeader(length: most, operation: 1, requestID: 1)
        let bytes = header.encoded
        let decoded = unsafe try FrameHeader(decoding: bytes.span.bytes)
        #expect(decoded == header)
        let larger = FrameHeader(length: most + 1, operation: 1, requestID: 1).encoded
        #expect(throws: WireError(at: 0, .tooLarge)) { unsafe try FrameHeader(decoding: larger.span.bytes) }
    }

    @Test func `The values of an answer share the cap of a body`() throws {
        let result = MatchResult(items: [], values: try SecretBytes(count: WireLimits.valueSize + 1))
        #expect(try outcome(bytes(.items(result))) == nil)
    }
}
