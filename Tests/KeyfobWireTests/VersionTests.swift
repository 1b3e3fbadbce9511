// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import Testing

@testable import KeyfobWire

struct VersionTests {
    private func other(_ name: String, version: UInt8) throws -> [UInt8] {
        var frame = try #require(try Samples.frame(name))
        frame[4] = version
        return frame
    }

    @Test(arguments: [0, 2, 255] as [UInt8])
    func `A failure of another version decodes`(_ version: UInt8) throws {
        let received = try response(other("failure-version", version: version))
        #expect(
            picture(received)
                == picture(.failure(KeychainError(.protocolMismatch, .connect, remedy: .updateKeyfob))))
    }

    @Test(arguments: Samples.responseNames.filter { !$0.hasPrefix("failure") })
    func `Another answer of another version does not decode`(_ name: String) throws {
        for version in [0, 2, 255] as [UInt8] {
            #expect(throws: WireError(at: 4, .badValue)) { _ = try response(other(name, version: version)) }
        }
    }

    @Test(arguments: Samples.requestNames)
    func `A request of another version does not decode`(_ name: String) throws {
        for version in [0, 2, 255] as [UInt8] {
            #expect(throws: WireError(at: 4, .badValue)) { _ = try request(other(name, version: version)) }
        }
    }

    @Test(arguments: [0, 2, 255] as [UInt8])
    func `The reserved bits and the length of another version are not judged`(_ version: UInt8) throws {
        let bytes: [UInt8] = [255, 255, 255, 255, version, 1, 255, 255, 0, 0, 0, 7]
        let header = unsafe try FrameHeader(decoding: bytes.span.bytes)
        #expect(header == FrameHeader(length: .max, version: version, operation: 1, requestID: 7))
    }

    @Test func `The header of another version is read`() throws {
        let frame = try other("lock", version: 9)
        let header = unsafe try FrameHeader(decoding: frame.span.bytes)
        #expect(header == FrameHeader(length: 0, version: 9, operation: WireOperation.lock.rawValue, requestID: 7))
    }
}
