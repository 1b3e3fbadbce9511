// SPDX-License-Identifier: Apache-2.0
internal import KeyfobTestSupport
internal import Security
internal import Testing

/// Thousands of random calls on few names, compared with a model of SecItem in memory (`ModelService`).
///
/// A failure shows the seed; `KEYFOB_TEST_SEED` runs that sequence again.
@Suite(.lendsTokens) struct ModelTests {
    private static let sequences = 8
    private static let steps = 500

    @Test(arguments: Mode.allCases, 0..<sequences)
    func `A random sequence of calls gives what the model gives`(mode: Mode, sequence: Int) throws {
        let random = SeededRandom.fresh()
        var comparison = ModelComparison(random, on: try mode.makeKeychain())
        for step in 0..<Self.steps {
            if let difference = try comparison.step().difference {
                Issue.record("seed \(random.seed), step \(step): \(difference)")
                return
            }
        }
        if let difference = try comparison.compareAll() { Issue.record("seed \(random.seed): \(difference)") }
    }

    @Test func `Random sequences reach every status that they can`() throws {
        var seen: Set<OSStatus> = []
        var comparison = ModelComparison(SeededRandom(seed: 1), on: try Mode.embedded.makeKeychain())
        for _ in 0..<1000 { seen.insert(try comparison.step().status) }
        let expected: Set<OSStatus> = [
            errSecSuccess, errSecDuplicateItem, errSecItemNotFound, errSecParam, errSecNoSuchAttr,
            errSecInteractionNotAllowed, errSecMissingEntitlement, errSecUnimplemented,
        ]
        #expect(seen.isSuperset(of: expected), "not reached: \(expected.subtracting(seen))")
    }
}
