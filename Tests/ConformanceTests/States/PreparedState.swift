// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import KeyfobPKCS11
internal import KeyfobTestSupport
internal import Security
internal import Synchronization

/// A keychain in a state, with an item for every cell that was added before it got there.
struct PreparedState: Sendable {
    let keychain: any KeychainUnderTest
    let mock: MockToken
    let witness: KeyWitness
    /// The items' persistent references, by class code and call.
    private let references: [String: Data]

    static let program = Program(applicationIdentifier: "states")

    /// The keychain of the state and mode, which is made at the first use and kept until the process ends.
    static func of(_ state: KeychainState, _ mode: Mode) throws -> PreparedState {
        try kept.withLock { kept in
            if let prepared = kept["\(mode) \(state)"] { return prepared }
            let prepared = try TokenLoan.forGood { try PreparedState(state, mode) }
            // After the token's library is loaded, so that this runs before the library's own end.
            if kept.isEmpty { atexit { PreparedState.kept.withLock { $0 = [:] } } }
            kept["\(mode) \(state)"] = prepared
            return prepared
        }
    }

    private static let kept = Mutex<[String: PreparedState]>([:])

    private init(_ state: KeychainState, _ mode: Mode) throws {
        mock = try MockToken()
        keychain = try mode.makeKeychain(on: mock)
        references = try keychain.use(Self.program) {
            var references: [String: Data] = [:]
            for code in StateTable.codes {
                for call in StateCell.Call.allCases {
                    let answer = adding(
                        password(
                            "\(call)",
                            [
                                kSecAttrAccessible: code, kSecAttrService: code, kSecReturnPersistentRef: true,
                            ]))
                    guard let reference = answer.data else { throw KeychainState.NotReached() }
                    references["\(code) \(call)"] = reference
                }
            }
            return references
        }
        var witness = KeyWitness(mock, keychain: try keychain.uuid())
        try witness.remember(StateTable.codes)
        self.witness = witness
        try state.enter(keychain, on: mock)
    }

    func reference(_ code: String, _ call: StateCell.Call) -> Data? { references["\(code) \(call)"] }

    /// How often the module was asked to work with a key, or to make one usable.
    func keyCalls() -> Int {
        [.decryptInit, .decrypt, .encryptInit, .encrypt, .unwrapKey, .copyObject].reduce(0) {
            $0 + mock.module.calls(of: $1)
        }
    }
}
