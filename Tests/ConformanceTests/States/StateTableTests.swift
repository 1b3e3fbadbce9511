// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

/// The table of docs/states.md: every state, every accessibility class, every call, through the public API; and the token
/// itself in every state.
///
/// In turn, because what the token was asked is counted.
@Suite(.serialized, .lendsTokens) struct StateTableTests {
    @Test(arguments: Mode.allCases, StateCell.all)
    func `Every cell of the state table holds, and a refusal asks the token for no key`(
        mode: Mode, cell: StateCell
    ) throws {
        try cell.check(mode)
    }

    @Test(arguments: Mode.allCases, KeychainState.allCases)
    func `The token has a usable key of a class exactly where the table says so`(
        mode: Mode, state: KeychainState
    ) throws {
        let witness = try PreparedState.of(state, mode).witness
        for code in StateTable.codes {
            let verdict = StateTable.verdict(state, code)
            let generation = verdict == .goneYes ? 2 : 1
            // While unlocked each key had a handle that worked.
            #expect(witness.remembered(code) > 0, "\(code)")
            #expect(try witness.findsUsableKey(code, generation: generation) == verdict.hasKey, "\(code)")
            guard !verdict.hasKey || verdict == .goneYes else { continue }
            #expect(try !witness.acceptsOldHandle(code), "\(code)")
        }
    }

    @Test(arguments: Mode.allCases, [KeychainState.unblockedLocked, .unblockedUnlocked])
    func `After an unblock the token has no key any more for the items that are gone`(
        mode: Mode, state: KeychainState
    ) throws {
        #expect(try !PreparedState.of(state, mode).witness.findsUsableKey("akpu", generation: 1))
    }

    @Test func `The table of the documentation says the same`() throws {
        let lines = StateTable.lines.map { ($0.name, $0.cells.map(\.rawValue)) }
        #expect(try Self.documented() == Dictionary(lines) { first, _ in first })
    }

    @Test(arguments: KeychainState.allCases)
    func `Every state is in one line of the table`(state: KeychainState) {
        #expect(StateTable.lines.count { $0.states.contains(state) } == 1)
    }

    /// The cells of the first table of docs/states.md, by the state.
    private static func documented() throws -> [String: [String]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/states.md"), encoding: .utf8)
        var lines: [String: [String]] = [:]
        for line in text.split(separator: "\n").drop(while: { !$0.hasPrefix("|---") }).dropFirst() {
            guard line.hasPrefix("|") else { break }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 6 else { continue }
            lines[cells[0]] = Array(cells[2...])
        }
        return lines
    }
}
