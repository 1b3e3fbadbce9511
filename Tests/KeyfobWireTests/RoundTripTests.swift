// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import KeyfobTestSupport
import Testing

@testable import KeyfobWire

struct RoundTripTests {
    @Test(arguments: WireOperation.allCases.filter(\.isRequest))
    func `Every request comes out as it went in, and has one form`(_ operation: WireOperation) throws {
        var random = SeededRandom.fresh()
        for _ in 0..<400 {
            let sent = try random.request(operation)
            #expect(sent.operation == operation)
            let frame = try bytes(sent)
            let received = try request(frame)
            #expect(picture(received) == picture(sent), "seed \(random.seed)")
            #expect(try bytes(received) == frame, "seed \(random.seed)")
        }
    }

    @Test(arguments: WireOperation.allCases.filter { !$0.isRequest })
    func `Every answer comes out as it went in, and has one form`(_ operation: WireOperation) throws {
        var random = SeededRandom.fresh()
        for _ in 0..<400 {
            let sent = try random.response(operation)
            #expect(sent.operation == operation)
            let frame = try bytes(sent)
            let received = try response(frame)
            #expect(picture(received) == picture(sent), "seed \(random.seed)")
            #expect(try bytes(received) == frame, "seed \(random.seed)")
        }
    }

    @Test func `Every subject, cause and remedy of a failure survives`() throws {
        var random = SeededRandom.fresh()
        let (subjects, causes, remedies) = (random.subjects(), random.causes(), random.remedies())
        #expect(subjects.map(SeededRandom.place) == Array(0..<8))
        #expect(causes.map(SeededRandom.place) == Array(0..<6))
        #expect(remedies.map(SeededRandom.place) == Array(0..<28))
        let errors =
            subjects.map { KeychainError(.busy, .serve, subject: $0) }
            + causes.map { KeychainError(.busy, .serve, cause: $0) }
            + remedies.map { KeychainError(.busy, .serve, remedy: $0) }
            + SeededRandom.operations.map { KeychainError(.busy, $0) }
        for error in errors {
            let received = try response(bytes(.failure(error)))
            #expect(picture(received) == picture(.failure(error)), "seed \(random.seed)")
        }
    }

    @Test func `The number of the request is in the frame`() throws {
        #expect(try bytes(WireRequest.lock, requestID: 0xA1B2C3D4).suffix(4) == [0xA1, 0xB2, 0xC3, 0xD4])
        #expect(try bytes(WireResponse.done, requestID: 0).suffix(4) == [0, 0, 0, 0])
    }
}
