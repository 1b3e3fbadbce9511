// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobTestSupport
internal import Synchronization

/// The ways to reach the engine; every row of the suite runs in each and gives the same answers.
enum Mode: CaseIterable, Sendable {
    /// The engine in the process of the caller.
    case embedded
    /// The engine behind a socket, as programs reach a daemon.
    case daemon

    /// A keychain of one test alone, unlocked.
    ///
    /// - Parameters:
    ///   - mock: its token; nil: one that does nothing unusual.
    ///   - presence: whether it can have items that need a person.
    func makeKeychain(on mock: MockToken? = nil, presence: Bool = false) throws -> any KeychainUnderTest {
        switch self {
        case .embedded: try EmbeddedUnderTest(on: mock, presence: presence)
        case .daemon: try DaemonUnderTest(on: mock, presence: presence)
        }
    }

    /// The keychain that tests share which need no particular state: unlocked, and every test in groups of its own.
    func sharedKeychain() throws -> any KeychainUnderTest {
        try keptKeychain("shared") { _ in }
    }

    /// The keychain of that name, made and prepared at the first use and kept until the process ends.
    func keptKeychain(
        _ name: String, presence: Bool = false, _ prepare: (any KeychainUnderTest) throws -> Void
    ) throws -> any KeychainUnderTest {
        try Self.kept.withLock { kept in
            if let keychain = kept["\(self) \(name)"] { return keychain }
            let keychain = try TokenLoan.forGood { try makeKeychain(presence: presence) }
            // After the token's library is loaded, so that this runs before the library's own end.
            if kept.isEmpty { atexit { Mode.kept.withLock { $0 = [:] } } }
            try prepare(keychain)
            kept["\(self) \(name)"] = keychain
            return keychain
        }
    }

    private static let kept = Mutex<[String: any KeychainUnderTest]>([:])
}
