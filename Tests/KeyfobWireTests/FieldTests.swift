// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import Testing

@testable import KeyfobWire

/// What a body may not do with its fields, at one message each; `DamagedFrameTests` goes through all of them.
struct FieldTests {
    private let group = field(1, Array("g".utf8))
    private let forWriting = field(2, [1])

    @Test func `The fields of a message, each once and in order, are the message`() throws {
        switch try request(frame(.isEntitled, group + forWriting)) {
        case .isEntitled(let group, let forWriting):
            #expect(group.name == "g")
            #expect(forWriting)
        default: Issue.record("another request")
        }
    }

    @Test func `An unknown field is refused`() {
        #expect(throws: WireError(at: 17, .unknownField)) {
            try again(frame(.isEntitled, group + forWriting + field(3, [])))
        }
    }

    @Test func `A field that comes twice is refused`() {
        #expect(throws: WireError(at: 6, .unorderedField)) { try again(frame(.isEntitled, group + group)) }
    }

    @Test func `Fields out of order are refused`() {
        #expect(throws: WireError(at: 6, .unorderedField)) { try again(frame(.isEntitled, forWriting + group)) }
    }

    @Test func `The tag 0 is refused`() {
        #expect(throws: WireError(at: 0, .unorderedField)) { try again(frame(.isEntitled, field(0, []))) }
    }

    @Test func `A missing field is refused`() {
        #expect(throws: WireError(at: 6, .missingField)) { try again(frame(.isEntitled, group)) }
        #expect(throws: WireError(at: 0, .missingField)) { try again(frame(.isEntitled, [])) }
    }

    @Test(arguments: [
        WireOperation.lock, .status, .daemonStatus, .accessGroups, .verify, .metrics, .verifyAudit, .done,
    ])
    func `A body where none belongs is refused`(_ operation: WireOperation) {
        #expect(throws: WireError(at: 0, .trailingBytes)) { try again(frame(operation, [0])) }
    }

    @Test func `A field that is longer than the body is refused`() {
        #expect(throws: WireError(at: 5, .truncated)) { try again(frame(.isEntitled, [1, 255, 255, 255, 255])) }
    }

    @Test func `A flag is 0 or 1`() {
        #expect(throws: WireError(at: 11, .badValue)) { try again(frame(.isEntitled, group + field(2, [2]))) }
        #expect(throws: WireError(at: 12, .trailingBytes)) { try again(frame(.isEntitled, group + field(2, [1, 1]))) }
    }

    @Test func `Text is UTF-8 in the form that it was sent in`() {
        #expect(throws: WireError(at: 5, .badValue)) { try again(frame(.text, field(1, [0xC0, 0x80]))) }
        #expect(throws: WireError(at: 5, .badValue)) { try again(frame(.text, field(1, [0xED, 0xA0, 0x80]))) }
    }

    @Test func `Attributes stand in the order of their names, each once`() {
        let one = Array("acct".utf8) + [1] + number(UInt32(1)) + Array("a".utf8)
        let two = Array("svce".utf8) + [1] + number(UInt32(1)) + Array("b".utf8)
        func frameOf(_ attributes: [UInt8]) -> [UInt8] {
            frame(.delete, field(1, field(1, [1]) + field(2, attributes) + field(4, [0])))
        }
        #expect(throws: Never.self) { try again(frameOf(one + two)) }
        #expect(throws: WireError(at: 26, .unorderedField)) { try again(frameOf(two + one)) }
        #expect(throws: WireError(at: 26, .unorderedField)) { try again(frameOf(one + one)) }
    }

    @Test func `A request is no answer, an answer no request, and other numbers are neither`() throws {
        for number in UInt8.min ... .max {
            let known = WireOperation(rawValue: number)
            let header = FrameHeader(length: 0, operation: number, requestID: 7)
            let none = [UInt8]()
            if known?.isRequest != true {
                #expect(throws: WireError(at: 0, .unknownOperation)) {
                    _ = unsafe try WireRequest.decode(header, none.span.bytes)
                }
            }
            if known?.isRequest != false {
                #expect(throws: WireError(at: 0, .unknownOperation)) {
                    _ = unsafe try WireResponse.decode(header, none.span.bytes)
                }
            }
        }
    }
}
