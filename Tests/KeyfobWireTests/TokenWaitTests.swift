// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import Testing

@testable import KeyfobWire

/// Which requests may wait for the token, as the first look at a frame tells.
struct TokenWaitTests {
    private func waits(_ request: consuming WireRequest) throws -> Bool {
        let frame = try request.encoded(requestID: 7)
        return try frame.withBytes { bytes in
            WireRequest.waitsForToken(
                try FrameHeader(decoding: bytes), bytes.extracting(droppingFirst: FrameHeader.size))
        }
    }

    private static let query = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("mail")])

    @Test func `A search for attributes or references waits for nothing`() throws {
        for returns in [[], .attributes, .persistentReference, [.attributes, .persistentReference]] as [ReturnFlags] {
            #expect(try !waits(.copyMatching(MatchRequest(Self.query, limit: .all, returns: returns))))
        }
    }

    @Test func `Values wait for the token, and so does what comes with a PIN`() throws {
        #expect(try waits(.copyMatching(MatchRequest(Self.query, returns: .data))))
        #expect(try waits(.copyMatching(MatchRequest(Self.query, returns: [.data, .attributes]))))
        var request = MatchRequest(Self.query, returns: .attributes)
        request.credentials = Credentials(pin: try SecretBytes(copying: [1, 2, 3, 4]))
        #expect(try waits(.copyMatching(request)))
    }

    @Test func `What reads and writes values, or asks how the token is, waits for it`() throws {
        #expect(
            try waits(.add(AddRequest(itemClass: .genericPassword, attributes: [:], value: SecretBytes(copying: [1])))))
        #expect(try waits(.update(UpdateRequest(Self.query, value: SecretBytes(copying: [1])))))
        #expect(try waits(.status))
        #expect(try waits(.verify))
        #expect(try waits(.metrics))
    }

    @Test func `A lock waits behind nobody, nor does what needs no token`() throws {
        #expect(try !waits(.lock))
        #expect(try !waits(.delete(DeleteRequest(Self.query))))
        #expect(try !waits(.daemonStatus))
        #expect(try !waits(.isEntitled(AccessGroup("a"), forWriting: false)))
    }

    @Test func `What is no request, or cut short, waits for nothing`() throws {
        #expect(!waits(WireOperation.copyMatching.rawValue, [3, 0, 0]))
        #expect(!waits(WireOperation.items.rawValue, []))
        #expect(!waits(99, []))
    }

    private func waits(_ operation: UInt8, _ body: [UInt8]) -> Bool {
        let header = FrameHeader(length: UInt32(body.count), operation: operation, requestID: 1)
        return unsafe WireRequest.waitsForToken(header, body.span.bytes)
    }
}
