// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobTestSupport
import Testing

/// One keychain has one owner, and whatever happens to it the keychain stays whole.
@Suite struct OwnerTests {
    @Test func `A second process is told who has the keychain`() throws {
        let keychain = try ProgramKeychain()
        let owner = try keychain.start(["own"])
        #expect(owner.line() == "open \(owner.pid)")
        #expect(try keychain.run(["own"]) == ["in use \(owner.pid)"])
        owner.proceed()
        #expect(owner.wait() == 0)
    }

    @Test func `After its owner was killed the keychain opens`() throws {
        let keychain = try ProgramKeychain()
        let owner = try keychain.start(["own"])
        #expect(owner.line() == "open \(owner.pid)")
        owner.endByForce()
        let next = try keychain.start(["own"])
        #expect(next.line() == "open \(next.pid)")
    }

    @Test func `Every add that was acknowledged survives thirty kills at random moments`() throws {
        let keychain = try ProgramKeychain()
        var acknowledged = 0
        for _ in 0..<30 {
            let program = try keychain.start(["add-many", "\(acknowledged)"])
            #expect(program.line() == "ready", "\(program.errorText)")
            let wanted = Int.random(in: 0...12)
            for _ in 0..<wanted { _ = program.line() }
            program.endByForce()
            // What it had told before it was killed counts too.
            acknowledged += wanted + program.lines().count
            // One more may have become durable without being told: the next one starts behind it.
            let found = try accounts(keychain)
            #expect(found.count >= acknowledged)
            #expect(found.count <= acknowledged + 1)
            acknowledged = found.count
        }
    }

    @Test func `Every add that was acknowledged is in the audit log after twenty kills at random moments`() throws {
        let keychain = try ProgramKeychain()
        let file = keychain.home + "/config.json"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacingOccurrences(of: "{\n", with: "{\n  \"audit\": \"require\",\n").write(
            toFile: file, atomically: false, encoding: .utf8)
        var told = 0
        var stored = 0
        for _ in 0..<20 {
            let program = try keychain.start(["add-many", "\(stored)"])
            #expect(program.line() == "ready", "\(program.errorText)")
            let wanted = Int.random(in: 0...12)
            for _ in 0..<wanted { _ = program.line() }
            program.endByForce()
            told += wanted + program.lines().count
            stored = try accounts(keychain).count
            let audited = try keychain.run(["audit-log"])
            #expect(audited.first == "findings 0", "\(audited)")
            let adds = try #require(audited.last.flatMap { Int($0) })
            // One that was stored and not told may or may not be in the log.
            #expect(adds >= told)
            #expect(adds <= stored)
        }
    }

    /// Opens the keychain in a new process, which verifies it; the accounts it holds.
    private func accounts(_ keychain: ProgramKeychain) throws -> [Int] {
        let lines = try keychain.run(["audit"])
        let numbers = lines.dropFirst().compactMap { line -> Int? in
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[1] == "value of \(parts[0])" else { return nil }
            return Int(parts[0])
        }
        #expect(lines.first == "verified \(numbers.count) findings 0")
        #expect(numbers == Array(0..<numbers.count))
        return numbers
    }
}
