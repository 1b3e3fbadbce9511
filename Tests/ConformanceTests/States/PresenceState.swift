// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import LocalAuthentication
internal import Security
internal import Synchronization

/// What becomes of items that need a person: for each state and class one verdict, for each verdict, call and manner of
/// asking one status.
enum PresenceTable {
    struct Line: Sendable {
        let state: KeychainState
        let verdicts: [String: PresenceVerdict]

        init(
            _ state: KeychainState, ak: PresenceVerdict, akpu: PresenceVerdict, ck: PresenceVerdict, dk: PresenceVerdict
        ) {
            self.state = state
            verdicts = ["ak": ak, "akpu": akpu, "ck": ck, "dk": dk]
        }
    }

    static let codes = ["ak", "akpu", "ck", "dk"]

    static let lines = [
        Line(.noToken, ak: .away, akpu: .away, ck: .away, dk: .away),
        Line(.beforeFirstUnlock, ak: .locked, akpu: .locked, ck: .locked, dk: .needsLogin),
        Line(.tokenBack, ak: .locked, akpu: .locked, ck: .locked, dk: .needsLogin),
        Line(.unlocked, ak: .asks, akpu: .asks, ck: .asks, dk: .asks),
        Line(.changedPIN, ak: .asks, akpu: .asks, ck: .asks, dk: .asks),
        Line(.blockedUnlocked, ak: .blocked, akpu: .blocked, ck: .blocked, dk: .blocked),
        Line(.locked, ak: .locked, akpu: .locked, ck: .needsLogin, dk: .needsLogin),
        Line(.unblockedLocked, ak: .locked, akpu: .goneNo, ck: .needsLogin, dk: .needsLogin),
        Line(.unblockedUnlocked, ak: .asks, akpu: .goneYes, ck: .asks, dk: .asks),
    ]
}

/// How the person is answered.
enum PresenceVerdict: Sendable {
    /// The PIN opens the item, and nothing else does.
    case asks
    /// The token takes no PIN.
    case blocked
    /// The class can be used, but the key that asks for the PIN cannot: it is private.
    case needsLogin
    /// The class is locked, whatever PIN there is.
    case locked
    case away
    case goneNo
    case goneYes

    func status(_ call: PresenceCell.Call, _ manner: PresenceCell.Manner) -> OSStatus {
        switch (call, self, manner) {
        case (.update, _, .skip), (.updateValue, _, .skip), (.delete, _, .skip): errSecParam
        case (.delete, .goneNo, _), (.delete, .goneYes, _): errSecItemNotFound
        case (.delete, _, _): errSecSuccess

        case (.add, .asks, _), (.add, .blocked, _), (.add, .needsLogin, _), (.add, .goneYes, _): errSecSuccess
        case (.add, .locked, _), (.add, .goneNo, _): errSecInteractionNotAllowed

        case (_, .away, _): errSecNotAvailable
        case (_, .goneNo, _), (_, .goneYes, _): errSecItemNotFound
        case (_, .locked, _): errSecInteractionNotAllowed
        case (_, _, .skip): errSecItemNotFound
        case (_, .asks, .withPIN): errSecSuccess
        case (_, .blocked, .withPIN): errSecAuthFailed
        case (_, .asks, _), (_, .blocked, _), (_, .needsLogin, _): errSecInteractionNotAllowed
        }
    }
}

/// A keychain in a state with an item that needs a person for every cell.
struct PreparedPresence: Sendable {
    let keychain: any KeychainUnderTest
    let mock: MockToken

    static let program = Program(applicationIdentifier: "presence states")

    static func of(_ state: KeychainState, _ mode: Mode) throws -> PreparedPresence {
        try kept.withLock { kept in
            if let prepared = kept["\(mode) \(state)"] { return prepared }
            let prepared = try TokenLoan.forGood { try PreparedPresence(state, mode) }
            // After the token's library is loaded, so that this runs before the library's own end.
            if kept.isEmpty { atexit { PreparedPresence.kept.withLock { $0 = [:] } } }
            kept["\(mode) \(state)"] = prepared
            return prepared
        }
    }

    private static let kept = Mutex<[String: PreparedPresence]>([:])

    private init(_ state: KeychainState, _ mode: Mode) throws {
        mock = try MockToken()
        keychain = try mode.makeKeychain(on: mock, presence: true)
        try keychain.use(Self.program) {
            for code in PresenceTable.codes {
                for call in PresenceCell.Call.allCases {
                    for manner in PresenceCell.Manner.allCases {
                        let item = PresenceCell(state: state, code: code, call: call, manner: manner)
                        guard add(item.attributes(bytes("old"))) == errSecSuccess else {
                            throw KeychainState.NotReached()
                        }
                    }
                }
            }
        }
        try state.enter(keychain, on: mock)
    }

    /// A context with the PIN that holds now.
    func context() throws -> LAContext {
        let context = LAContext()
        context.setCredential(try keychain.pin(wrong: false), type: .smartCardPIN)
        return context
    }
}
