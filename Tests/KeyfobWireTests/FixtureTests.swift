// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import KeyfobWire

/// The frames of `Tests/Fixtures/wire`, which are never changed: what they hold is the protocol of version 1.
struct FixtureTests {
    private struct Fixture {
        let expected: String
        let frame: [UInt8]
    }

    private static let folder =
        #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Fixtures/wire/"

    private static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .compactMap { $0.hasSuffix(".hex") ? String($0.dropLast(4)) : nil }
    }

    /// `expect:` and the outcome; `#` and a remark; everything else is hexadecimal.
    private func fixture(_ name: String) throws -> Fixture {
        var (expected, digits) = ("", "")
        for line in try String(contentsOfFile: Self.folder + name + ".hex", encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("expect: ") {
                expected = String(line.dropFirst(8))
            } else {
                digits += line.prefix { $0 != "#" }.filter { $0 != " " }
            }
        }
        let pairs = stride(from: 0, to: digits.count, by: 2).map { digits.dropFirst($0).prefix(2) }
        return Fixture(expected: expected, frame: try pairs.map { try #require(UInt8($0, radix: 16)) })
    }

    @Test func `Every fixture has the outcome that it names`() throws {
        let names = try Self.names()
        #expect(names.count > 40)
        for name in names {
            let fixture = try fixture(name)
            do {
                let made = try again(fixture.frame)
                let operation = try #require(WireOperation(rawValue: fixture.frame[5]))
                #expect(fixture.expected == "\(operation)", "\(name)")
                // A failure of another version is written in ours.
                #expect(made[5...] == fixture.frame[5...], "\(name)")
            } catch let error as WireError {
                #expect(fixture.expected == "error \(error.fault) at \(error.offset)", "\(name)")
            }
        }
    }

    @Test(arguments: Samples.requestNames + Samples.responseNames)
    func `Every sample makes the frame that version 1 made`(_ name: String) throws {
        #expect(try Samples.frame(name) == fixture(name).frame)
    }

    @Test func `Every operation has a fixture`() throws {
        let seen = Set(try Self.names().map { try fixture($0).expected })
        for operation in WireOperation.allCases { #expect(seen.contains("\(operation)")) }
    }
}
