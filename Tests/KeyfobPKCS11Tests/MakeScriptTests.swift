// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// `tokens/softhsm/make`, as a person runs it.
@Suite(.lendsTokens) struct MakeScriptTests {
    private struct Outcome {
        let status: Int32
        let output: String
        let message: String

        /// What `export NAME='value'` lines say.
        var exports: [String: String] {
            var result: [String: String] = [:]
            for line in output.split(separator: "\n") {
                guard let match = line.wholeMatch(of: /export (\w+)='(.*)'/) else { continue }
                result[String(match.1)] = String(match.2)
            }
            return result
        }
    }

    private final class Folder {
        let path = NSTemporaryDirectory() + "keyfob-make-\(UUID().uuidString)"

        deinit {
            // Nobody misses a folder that was never made.
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    private static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> Outcome {
        // Not Foundation's Process: with some 1,300 descriptors open its run() ends the process.
        let environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let outcome = try SpawnedProgram(path: program, environment: environment).run(arguments)
        return Outcome(status: outcome.status, output: outcome.outputText, message: outcome.errorText)
    }

    private static func make(_ arguments: String...) throws -> Outcome {
        try make(arguments)
    }

    private static func make(_ arguments: [String]) throws -> Outcome {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try run(root.path + "/tokens/softhsm/make", arguments)
    }

    @Test func `A token is made, and its URI names it, its module and the file of its PIN`() throws {
        let folder = Folder()
        let outcome = try Self.make("--label", "my token", folder.path)
        #expect(outcome.status == 0)
        let uri = try TokenURI(try #require(outcome.exports["KEYFOB_TOKEN_URI"]))
        #expect(uri.label == "my token")
        #expect(uri.serial?.count == 16)
        #expect(uri.modulePath == outcome.exports["KEYFOB_TOKEN_MODULE"])
        #expect(!uri.hasPINValue)
        let source = try #require(uri.pinSource)
        #expect(source.hasPrefix("file:/"))
        let pin = try Data(contentsOf: URL(fileURLWithPath: String(source.dropFirst(5))))
        #expect(pin.count == 10)
        #expect(pin.allSatisfy { (0x30...0x39).contains($0) })
    }

    @Test func `The PIN is for the owner's eyes and in no output`() throws {
        let folder = Folder()
        let outcome = try Self.make(folder.path)
        for name in ["pin", "so-pin"] {
            let path = folder.path + "/" + name
            let mode = try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
            #expect(mode == 0o600)
            let pin = try String(contentsOfFile: path, encoding: .utf8)
            #expect(!(outcome.output + outcome.message).contains(pin))
        }
    }

    @Test func `Running again changes nothing`() throws {
        let folder = Folder()
        let first = try Self.make(folder.path)
        let second = try Self.make(folder.path)
        #expect(second.status == 0)
        #expect(second.output == first.output)
        let slots = try Self.run(
            "/usr/bin/softhsm2-util", ["--show-slots"],
            environment: ["SOFTHSM2_CONF": try #require(first.exports["SOFTHSM2_CONF"])])
        #expect(slots.output.matches(of: /Label: +keyfob/).count == 1)
    }

    @Test func `Another label is another token`() throws {
        let folder = Folder()
        let first = try Self.make("--label", "one", folder.path).exports["KEYFOB_TOKEN_URI"]
        let second = try Self.make("--label=two", folder.path).exports["KEYFOB_TOKEN_URI"]
        #expect(try TokenURI(try #require(first)).serial != TokenURI(try #require(second)).serial)
    }

    @Test func `Help is printed on request, to standard output`() throws {
        let outcome = try Self.make("--help")
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("usage: tokens/softhsm/make"))
        #expect(outcome.message.isEmpty)
    }

    @Test(arguments: [["--nonsense"], [], ["--label"], ["--label", "it's", "x"], ["one", "two"]])
    func `Wrong usage ends with 64 and a message`(_ arguments: [String]) throws {
        let outcome = try Self.make(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.message.hasPrefix("tokens/softhsm/make: error: "))
    }
}
