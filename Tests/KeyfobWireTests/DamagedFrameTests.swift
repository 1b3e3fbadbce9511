// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import KeyfobWire

struct DamagedFrameTests {
    /// Whether the frame is refused, or else is the one form of what it says.
    private func isSafe(_ frame: [UInt8]) throws -> Bool {
        do { return try again(frame) == frame } catch is WireError { return true }
    }

    @Test(arguments: Samples.requestNames + Samples.responseNames)
    func `A frame with one other byte is refused, or says something else in its one form`(_ name: String) throws {
        let frame = try #require(try Samples.frame(name))
        // Not the version: a failure of any version decodes, and is written in ours.
        for index in frame.indices where index != 4 {
            for byte in UInt8.min ... .max where byte != frame[index] {
                var other = frame
                other[index] = byte
                guard try isSafe(other) else {
                    Issue.record("byte \(index) as \(byte)")
                    return
                }
            }
        }
    }

    @Test(arguments: Samples.requestNames + Samples.responseNames)
    func `A frame that ends early is refused`(_ name: String) throws {
        let frame = try #require(try Samples.frame(name))
        for count in frame.indices {
            #expect(throws: WireError.self) { try again(Array(frame.prefix(count))) }
        }
    }

    @Test(arguments: Samples.requestNames + Samples.responseNames)
    func `A body that ends early is refused, or says less in its one form`(_ name: String) throws {
        let frame = try #require(try Samples.frame(name))
        for count in FrameHeader.size..<frame.count {
            let shorter = number(UInt32(count - FrameHeader.size)) + frame[4..<count]
            #expect(try isSafe(shorter))
        }
    }

    /// The daemon's report ends with a text that has no length of its own.
    @Test(arguments: Samples.requestNames + Samples.responseNames.filter { $0 != "daemon-report" })
    func `A byte after the end is refused`(_ name: String) throws {
        let frame = try #require(try Samples.frame(name))
        for byte in [0, 1, 255] as [UInt8] {
            let longer = number(UInt32(frame.count + 1 - FrameHeader.size)) + frame[4...] + [byte]
            #expect(throws: WireError.self) { try again(longer) }
        }
    }
}
