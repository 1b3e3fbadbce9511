// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobVault
internal import Synchronization

/// Opens many values, by more threads than the caller's where the token is slow and gains by it (`OpeningPace`).
///
/// What comes of it is what one thread would have made of them in their order.
final class ValueOpening: Sendable {
    /// What came of one value.
    enum Outcome: Sendable {
        /// It was opened.
        ///
        /// - Parameter asked: whether the token was asked for it.
        case opened(asked: Bool)
        /// It was not, which concerns nothing but it.
        case skipped(OpenFailure)
        /// Nothing after it is to be opened.
        case stopped(OpenFailure)
    }

    /// From how long on who waits is told how far it is.
    private static let silence = Duration.milliseconds(100)

    private let limit: @Sendable () -> Int
    private let hasSpareSession: @Sendable () -> Bool
    private let clock: @Sendable () -> Moment
    private let pace = Mutex(OpeningPace())

    convenience init(_ vault: Vault) {
        self.init(limit: { vault.openingLimit }, hasSpareSession: { vault.hasSpareSession })
    }

    /// - Parameters:
    ///   - limit: the most threads; asked where the token is slow.
    ///   - hasSpareSession: whether a thread that helps may open a value now.
    ///   - clock: by which it is told what is slow.
    init(
        limit: @escaping @Sendable () -> Int, hasSpareSession: @escaping @Sendable () -> Bool,
        clock: @escaping @Sendable () -> Moment = { .now }
    ) {
        self.limit = limit
        self.hasSpareSession = hasSpareSession
        self.clock = clock
    }

    /// Opens values in their order, and stops at the first that says so.
    ///
    /// - Parameters:
    ///   - isAlone: whether the value of a number is opened by `alone`.
    ///   - alone: opens the value of a number by the caller's thread, with no other beside it.
    ///   - progress: is told how many are done, unless it is quick, by the caller's thread.
    ///   - open: opens the value of a number, from any thread.
    ///   - failed: is told of each that did not open, in their order, by the caller's thread.
    /// - Throws: what `failed` throws.
    func run(
        _ count: Int, isAlone: (Int) -> Bool = { _ in false }, alone: (Int) -> Outcome = { _ in .opened(asked: false) },
        progress: (Int) -> Void, open: @escaping @Sendable (Int) -> Outcome,
        failed: (Int, OpenFailure) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var next = 0
        var told = clock()
        while next < count {
            let outcomes: [(Int, Outcome)]
            if isAlone(next) {
                outcomes = [(next, alone(next))]
            } else {
                outcomes = round(next, (next..<count).prefix { !isAlone($0) }.count, open)
            }
            for (number, outcome) in outcomes {
                switch outcome {
                case .opened: break
                case .skipped(let failure), .stopped(let failure): try failed(number, failure)
                }
            }
            next += outcomes.count
            if next < count, told.duration(to: clock()) >= Self.silence {
                progress(next)
                told = clock()
            }
        }
    }

    // MARK: - Private

    /// Opens some of the values from `first` on.
    private func round(
        _ first: Int, _ remaining: Int, _ open: @escaping @Sendable (Int) -> Outcome
    ) -> [(Int, Outcome)] {
        let limit = pace.withLock { $0.isSlow } ? limit() : 1
        let start = clock()
        let plan = pace.withLock { $0.next(remaining, limit: limit, now: start.nanoseconds) }
        let outcomes = plan.width == 1 ? inTurn(first, plan.count, open) : together(first, plan, open)
        let asked = outcomes.count {
            if case .opened(asked: true) = $0.1 { return true }
            return false
        }
        let end = clock()
        pace.withLock {
            $0.finished(
                width: plan.width, asked: asked, took: end.nanoseconds - start.nanoseconds, limit: limit,
                now: end.nanoseconds)
        }
        return outcomes
    }

    private func inTurn(_ first: Int, _ count: Int, _ open: (Int) -> Outcome) -> [(Int, Outcome)] {
        var outcomes: [(Int, Outcome)] = []
        for number in first..<first + count {
            let outcome = open(number)
            outcomes.append((number, outcome))
            if case .stopped = outcome { break }
        }
        return outcomes
    }

    /// The values that were begun by several threads: all up to the first that stopped them, and then no more of them count.
    private func together(
        _ first: Int, _ plan: OpeningPace.Round, _ open: @escaping @Sendable (Int) -> Outcome
    ) -> [(Int, Outcome)] {
        let round = Round(first, plan.count, open)
        var helpers: [OwnThread] = []
        for _ in 1..<plan.width {
            // With fewer threads it takes longer.
            guard
                let helper = try? OwnThread("keyfob-open", { [hasSpareSession] in round.work(while: hasSpareSession) })
            else { break }
            helpers.append(helper)
        }
        round.work { true }
        for helper in helpers { helper.join() }
        return round.outcomes
    }

    /// What the threads of a round share.
    private final class Round: Sendable {
        private struct State {
            var next: Int
            var outcomes: [Int: Outcome] = [:]
            var isStopped = false
        }

        private let end: Int
        private let open: @Sendable (Int) -> Outcome
        private let state: Mutex<State>

        init(_ first: Int, _ count: Int, _ open: @escaping @Sendable (Int) -> Outcome) {
            end = first + count
            self.open = open
            state = Mutex(State(next: first))
        }

        /// Opens one value after the other, while `goesOn` and there are some.
        func work(while goesOn: () -> Bool) {
            while goesOn() {
                let number = state.withLock { state -> Int? in
                    guard !state.isStopped, state.next < end else { return nil }
                    defer { state.next += 1 }
                    return state.next
                }
                guard let number else { return }
                let outcome = open(number)
                state.withLock { state in
                    state.outcomes[number] = outcome
                    if case .stopped = outcome { state.isStopped = true }
                }
            }
        }

        /// By number, up to the first that stopped.
        var outcomes: [(Int, Outcome)] {
            let sorted = state.withLock { $0.outcomes }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            let stop = sorted.firstIndex {
                if case .stopped = $0.1 { return true }
                return false
            }
            return Array(sorted.prefix(stop.map { $0 + 1 } ?? sorted.count))
        }
    }
}
