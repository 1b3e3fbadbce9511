// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import KeyfobVault
import Synchronization
import Testing

@testable import KeyfobEngine

/// Many values, opened by several threads, on a token that a test stands in for.
@Suite struct ValueOpeningTests {
    /// What happens to each value.
    private enum Fate: Sendable {
        case opens
        case isDamaged
        case endsAll
    }

    /// A token that takes two milliseconds for each value.
    private final class SlowToken: Sendable {
        let running = Atomic<Int>(0)
        let most = Atomic<Int>(0)
        let opened = Shared<[Int]>([])
        /// A clock by which each value took ten milliseconds, one after the other.
        let exclusiveTime = Atomic<UInt64>(0)

        func open(_ number: Int, _ fate: Fate = .opens) -> ValueOpening.Outcome {
            let now = running.add(1, ordering: .relaxed).newValue
            most.max(now, ordering: .relaxed)
            usleep(2000)
            exclusiveTime.add(10_000_000, ordering: .relaxed)
            running.subtract(1, ordering: .relaxed)
            opened.change { $0.append(number) }
            switch fate {
            case .opens: return .opened(asked: true)
            case .isDamaged: return .skipped(.damaged(.notAuthentic))
            case .endsAll: return .stopped(.unavailable(ValueOpeningTests.error(number)))
            }
        }
    }

    private static func error(_ number: Int) -> KeychainError {
        KeychainError(.tokenFailed, .copyMatching, cause: .format(place: "value", fault: "\(number)"))
    }

    private func opening(_ limit: Int = 3, spare: @escaping @Sendable () -> Bool = { true }) -> ValueOpening {
        ValueOpening(limit: { limit }, hasSpareSession: spare)
    }

    /// Opens values, and gives the numbers of those that failed, in the order in which that was told, and the error.
    private func run(
        _ opening: ValueOpening, _ token: SlowToken, _ fates: [Fate]
    ) -> (failed: [Int], error: KeychainError?) {
        var failed: [Int] = []
        do throws(KeychainError) {
            try opening.run(fates.count, progress: { _ in }, open: { token.open($0, fates[$0]) }) {
                (number, failure) throws(KeychainError) in
                failed.append(number)
                if case .unavailable(let error) = failure { throw error }
            }
        } catch {
            return (failed, error)
        }
        return (failed, nil)
    }

    @Test func `A slow token is asked by several threads, and by no more than may be`() throws {
        let token = SlowToken()
        #expect(run(opening(3), token, Array(repeating: .opens, count: 60)).error == nil)
        #expect(token.opened.now.sorted() == Array(0..<60))
        #expect((2...3).contains(token.most.load(ordering: .relaxed)))
    }

    @Test func `One that serves one at a time goes on with one thread`() throws {
        let token = SlowToken()
        let opening = ValueOpening(
            limit: { 3 }, hasSpareSession: { true },
            clock: { Moment(nanoseconds: token.exclusiveTime.load(ordering: .relaxed)) })
        _ = run(opening, token, Array(repeating: .opens, count: 40))
        #expect(token.most.load(ordering: .relaxed) <= 2)
        token.most.store(0, ordering: .relaxed)
        _ = run(opening, token, Array(repeating: .opens, count: 20))
        #expect(token.most.load(ordering: .relaxed) == 1)
    }

    @Test func `Where others want the sessions one thread does it all`() throws {
        let token = SlowToken()
        _ = run(opening(3) { false }, token, Array(repeating: .opens, count: 40))
        #expect(token.most.load(ordering: .relaxed) == 1)
        #expect(token.opened.now.sorted() == Array(0..<40))
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `What fails is told as one thread would tell it`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let opening = opening(3)
        // It knows then how slow the token is.
        _ = run(opening, SlowToken(), Array(repeating: .opens, count: 30))
        let fates = (0..<40).map { _ -> Fate in
            switch Int.random(in: 0..<30, using: &random) {
            case 0: .endsAll
            case 1...6: .isDamaged
            default: .opens
            }
        }
        let token = SlowToken()
        let (failed, error) = run(opening, token, fates)
        let end = fates.firstIndex { if case .endsAll = $0 { true } else { false } }
        let expected = fates.indices.filter { index in
            guard index <= end ?? fates.count else { return false }
            if case .opens = fates[index] { return false }
            return true
        }
        #expect(failed == expected)
        #expect(error == end.map { Self.error($0) })
        // Everything before the end was tried.
        #expect(Set(token.opened.now).isSuperset(of: 0..<(end ?? fates.count)))
    }

    @Test func `A value that is to be opened alone has no other beside it`() throws {
        let token = SlowToken()
        let opening = opening(3)
        _ = run(opening, SlowToken(), Array(repeating: .opens, count: 30))
        let beside = Shared(0)
        try opening.run(
            30, isAlone: { $0 % 10 == 5 },
            alone: { number in
                let now = token.running.load(ordering: .relaxed)
                beside.change { $0 += now }
                return token.open(number)
            }, progress: { _ in }, open: { token.open($0) }, failed: { _, _ in })
        #expect(beside.now == 0)
        #expect(token.opened.now.sorted() == Array(0..<30))
    }

    @Test func `Who waits is told how far it is, in growing numbers below the whole`() throws {
        let token = SlowToken()
        var told: [Int] = []
        try opening(1).run(
            200, progress: { told.append($0) }, open: { token.open($0) },
            failed: { _, _ in })
        #expect(told == told.sorted())
        #expect(told.allSatisfy { $0 > 0 && $0 < 200 })
    }
}
