// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import Synchronization

/// Eight writers together against one: what group commit brings.
final class Writers {
    private static let count = 8
    private let keychain: BenchKeychain
    private let items: Int
    private var one: [Double] = []
    private var together: [Double] = []

    init(_ keychain: BenchKeychain, items: Int) {
        self.keychain = keychain
        self.items = items
    }

    /// Adds items from one thread, then as many each from eight.
    func round() throws {
        one.append(try rate(writers: 1, each: 100))
        together.append(try rate(writers: Self.count, each: 100))
    }

    var figures: [Figure] {
        let single = one.median
        return [
            Figure("one-writer", "one writer, adds a second", single, .rate),
            Figure(
                "eight-writers", "eight writers together, adds a second", together.median, .rate,
                limit: Figure.Limit(value: single, words: "one writer"), goal: .atLeast(3)),
        ]
    }

    private func rate(writers: Int, each: Int) throws -> Double {
        let service = keychain.service
        let first = items
        let fault = Mutex<(any Error)?>(nil)
        let time = try withoutActuallyEscaping({ @Sendable (writer: Int) in
            do {
                for index in 0..<each { try BenchItem.add(first + writer * each + index, to: service) }
            } catch {
                fault.withLock { $0 = error }
            }
        }) { body in try Stopwatch.time { try Threads.run(writers, body) } }
        if let error = fault.withLock({ $0 }) { throw error }
        for number in 0..<writers * each { try BenchItem.delete(first + number, from: service) }
        return Double(writers * each) / time * 1e6
    }
}
