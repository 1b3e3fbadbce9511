// SPDX-License-Identifier: Apache-2.0

/// One thing that is measured again and again, its samples taken in turn with those of all others.
///
/// A sample is the mean time of a batch of calls in microseconds. Batches are as short as the clock allows, so that on
/// a busy machine most of them run through without losing the processor, cheap calls and dear ones alike.
final class Series {
    let name: String
    private let batch: Int
    private let batches: Int
    private let prepare: (Int) throws -> Void
    private let body: (Int) throws -> Void
    private let settle: (Int) throws -> Void
    private(set) var samples: [Double] = []

    /// - Parameters:
    ///   - batch: calls of `body` in one sample; they are numbered from 0.
    ///   - batches: samples in a round.
    ///   - prepare: what a batch of that many calls needs, not measured.
    ///   - settle: what undoes it, not measured.
    init(
        _ name: String, batch: Int, batches: Int, prepare: @escaping (Int) throws -> Void = { _ in },
        settle: @escaping (Int) throws -> Void = { _ in }, _ body: @escaping (Int) throws -> Void
    ) {
        self.name = name
        self.batch = batch
        self.batches = batches
        self.prepare = prepare
        self.body = body
        self.settle = settle
    }

    /// Takes a round's samples, or throws away one to warm up.
    func round(isWarmUp: Bool = false) throws {
        for _ in 0..<(isWarmUp ? 1 : batches) {
            try prepare(batch)
            let time = try Stopwatch.time {
                for index in 0..<batch { try body(index) }
            }
            try settle(batch)
            if !isWarmUp { samples.append(time / Double(batch)) }
        }
    }

    /// The median of all samples.
    var median: Double { samples.median }
}
