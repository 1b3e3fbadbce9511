// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobEngine
import KeyfobModel
import KeyfobTestSupport
import Testing

/// What no machine changes is held to the number: a count that went up is a regression, one that went down belongs into
/// Tests/Thresholds/engine.json.
@Suite(.lendsTokens) struct ThresholdTests {
    private struct Thresholds: Decodable {
        /// By operation: calls by Cryptoki function, and `statements`.
        let operations: [String: [String: Int]]
        let storeBytesPerItem: Int
    }

    private static func thresholds() throws -> Thresholds {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.appending(path: "Thresholds/engine.json")
        return try JSONDecoder().decode(Thresholds.self, from: Data(contentsOf: file))
    }

    private func counts(_ keychain: TestKeychain) -> [String: Int] {
        var counts = keychain.engine.tokenCalls
        counts["statements"] = keychain.engine.statementCount
        return counts
    }

    @Test(arguments: CountedOperation.allCases)
    func `An operation makes the calls and statements of the threshold file`(operation: CountedOperation) throws {
        let keychain = try operation.prepared()
        let before = counts(keychain)
        try operation.run(keychain)
        let made = counts(keychain).merging(before) { $0 - $1 }.filter { $0.value != 0 }
        let expected = try #require(try Self.thresholds().operations[operation.rawValue])
        #expect(made == expected)
    }

    @Test func `The threshold file names the counted operations and no others`() throws {
        let names = try Set(Self.thresholds().operations.keys)
        #expect(names == Set(CountedOperation.allCases.map(\.rawValue)))
    }

    @Test(arguments: [CountedOperation.copyAttributes, .exists, .searchByLabel, .updateComment, .delete])
    func `What touches no value makes no token call`(operation: CountedOperation) throws {
        let expected = try #require(try Self.thresholds().operations[operation.rawValue])
        #expect(expected.keys.filter { $0.hasPrefix("C_") }.isEmpty)
    }

    @Test func `An item takes no more bytes of the store than the threshold file says`() throws {
        let keychain = try TestKeychain().unlocked()
        let empty = try storeSize(keychain)
        try keychain.unlocked()
        let items = 200
        for number in 0..<items {
            try keychain.service().add(
                "service \(number)", account: "account \(number)", value: Array(repeating: 7, count: 32))
        }
        let used = (try storeSize(keychain) - empty) / items
        let limit = try Self.thresholds().storeBytesPerItem
        #expect(used <= limit)
        #expect(used > 0)
    }

    /// The size of the store while it is closed, so without a log.
    private func storeSize(_ keychain: TestKeychain) throws -> Int {
        try keychain.reopen()
        let attributes = try FileManager.default.attributesOfItem(atPath: keychain.home.path + "/keychain.db")
        return try #require(attributes[.size] as? Int)
    }
}
