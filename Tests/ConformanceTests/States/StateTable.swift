// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security

/// What docs/states.md says, as statuses: for each state and each class one verdict, for each verdict and each call one
/// status.
enum StateTable {
    /// The columns of the table.
    static let columns: [[String]] = [["ak", "aku"], ["akpu"], ["ck", "cku"], ["dk", "dku"]]

    static let codes = columns.flatMap(\.self)

    /// A line of docs/states.md: its name, its cells (ak aku, akpu, ck cku, dk dku), the ways to get there.
    struct Line: Sendable {
        let name: String
        let cells: [Verdict]
        let states: [KeychainState]

        init(_ name: String, _ cells: [Verdict], _ states: KeychainState...) {
            (self.name, self.cells, self.states) = (name, cells, states)
        }
    }

    static let lines = [
        Line("no token", [.away, .away, .away, .away], .noToken, .noTokenAfterLock, .otherToken),
        Line(
            "before first unlock", [.no, .no, .no, .yes],
            .beforeFirstUnlock, .tokenBack, .failedOver, .blockedBeforeFirstUnlock),
        Line("unlocked", [.yes, .yes, .yes, .yes], .unlocked, .changedPIN, .blockedUnlocked),
        Line("locked", [.no, .no, .yes, .yes], .locked, .blockedLocked),
        Line("before first unlock, no user PIN", [.no, .noPIN, .no, .yes], .noPINBeforeFirstUnlock),
        Line("locked, no user PIN", [.no, .noPIN, .yes, .yes], .noPINLocked),
        Line("locked, after an unblock", [.no, .goneNo, .yes, .yes], .unblockedLocked),
        Line("unlocked, after an unblock", [.yes, .goneYes, .yes, .yes], .unblockedUnlocked),
    ]

    static func verdict(_ state: KeychainState, _ code: String) -> Verdict {
        guard let line = lines.first(where: { $0.states.contains(state) }),
            let column = columns.firstIndex(where: { $0.contains(code) })
        else { fatalError("the table has no cell for \(state), \(code)") }
        return line.cells[column]
    }
}

/// How a class is in a state, in the words of docs/states.md.
enum Verdict: String, Sendable {
    case yes = "yes"
    case no = "no"
    case away = "-25291"
    /// The passcode class while the token has no user PIN.
    case noPIN = "gone, -25291"
    /// The passcode class after an unblock: what was in it is gone for good.
    case goneNo = "gone, no"
    case goneYes = "gone, yes"

    /// Whether the token has a usable key of the class.
    var hasKey: Bool { self == .yes || self == .goneYes }

    func status(_ call: StateCell.Call) -> OSStatus {
        switch (self, call) {
        case (.yes, .addDuplicate): errSecDuplicateItem
        case (.yes, _): errSecSuccess

        case (.no, _) where call.isDelete, (.away, _) where call.isDelete, (.noPIN, _) where call.isDelete:
            errSecSuccess
        case (.no, _): errSecInteractionNotAllowed
        case (.away, _): errSecNotAvailable

        case (.noPIN, .add), (.noPIN, .addDuplicate): errSecNotAvailable
        case (.noPIN, _): errSecItemNotFound

        case (.goneNo, .add), (.goneNo, .addDuplicate): errSecInteractionNotAllowed
        case (.goneNo, _): errSecItemNotFound

        // The item that would be in the way is gone.
        case (.goneYes, .add), (.goneYes, .addDuplicate): errSecSuccess
        case (.goneYes, _): errSecItemNotFound
        }
    }
}
