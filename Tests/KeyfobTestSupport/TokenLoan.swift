// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import Testing

/// The tokens that a test was lent; they go back when it ends.
///
/// SoftHSM asks each of its tokens when it is asked for one, and forgets none: a token for each test would make every
/// look at the slots dearer than the one before.
package final class TokenLoan: Sendable {
    /// The loan of the test that runs in this task.
    @TaskLocal package static var current: TokenLoan?

    private let pool: TokenPool
    private let tokens = Mutex<[SoftHSMToken]>([])

    /// A loan that nobody has taken anything of; `pool` gets it back.
    package init(of pool: TokenPool = .shared) {
        self.pool = pool
    }

    /// Runs `body`, whose tokens stay out for good: for what several tests share.
    package static func forGood<R>(_ body: () throws -> R) rethrows -> R {
        try $current.withValue(TokenLoan(), operation: body)
    }

    /// Counts a token to those that go back.
    func note(_ token: SoftHSMToken) {
        tokens.withLock { $0.append(token) }
    }

    /// Whoever was lent the tokens is done with them.
    package func end() {
        let returned = tokens.withLock { tokens in
            defer { tokens = [] }
            return tokens
        }
        pool.takeBack(returned)
    }
}

/// The trait of a suite whose tests have SoftHSM tokens: each test hands its own back when it ends.
///
/// Without it `SoftHSMToken.make` fails the test. What a thread makes that a test starts is not handed back.
package struct LendsTokens: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let loan = TokenLoan()
        defer { loan.end() }
        try await TokenLoan.$current.withValue(loan) { try await function() }
    }
}

extension Trait where Self == LendsTokens {
    /// Lends each test of the suite its tokens.
    package static var lendsTokens: Self { Self() }
}
