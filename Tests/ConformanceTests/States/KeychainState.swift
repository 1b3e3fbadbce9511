// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobPKCS11
internal import KeyfobTestSupport

/// The ways to get into a state of docs/states.md: each is prepared once a mode and then left as it is.
enum KeychainState: String, CaseIterable, Sendable {
    case noToken = "no token"
    case noTokenAfterLock = "no token after a lock"
    case otherToken = "another token in its place"
    case beforeFirstUnlock = "before first unlock"
    case tokenBack = "the token came back"
    case failedOver = "the token failed over"
    case unlocked = "unlocked"
    case changedPIN = "unlocked after change-pin"
    case locked = "locked"
    case blockedBeforeFirstUnlock = "PIN blocked before first unlock"
    case blockedUnlocked = "PIN blocked while unlocked"
    case blockedLocked = "PIN blocked while locked"
    case noPINBeforeFirstUnlock = "no user PIN, before first unlock"
    case noPINLocked = "no user PIN, locked"
    case unblockedLocked = "locked after unblock"
    case unblockedUnlocked = "unlocked after unblock"

    /// Leads a keychain there that is unlocked.
    func enter(_ keychain: any KeychainUnderTest, on mock: MockToken) throws {
        switch self {
        case .unlocked: break
        case .locked: try keychain.lock()
        case .beforeFirstUnlock: try keychain.restart()
        case .noToken:
            mock.script(.remove())
            try keychain.waitForToken(false)
        case .noTokenAfterLock:
            try keychain.lock()
            mock.script(.remove())
            try keychain.waitForToken(false)
        case .otherToken:
            mock.script(.showSerial("another"), .showLabel("another"))
            try keychain.waitForToken(false)
        case .tokenBack:
            mock.script(.remove())
            try keychain.waitForToken(false)
            mock.script(.insert)
            try keychain.waitForToken()
        case .failedOver:
            mock.script(.failOver)
            try keychain.waitForToken(false)
            try keychain.waitForToken()
        case .changedPIN:
            try keychain.changePIN()
            try keychain.lock()
            try keychain.unlock()
        case .blockedBeforeFirstUnlock:
            try keychain.restart()
            mock.script(.flags(set: .userPINLocked))
        case .blockedUnlocked: mock.script(.flags(set: .userPINLocked))
        case .blockedLocked:
            try keychain.lock()
            mock.script(.flags(set: .userPINLocked))
        case .noPINBeforeFirstUnlock:
            try keychain.restart()
            mock.script(.flags(set: [], clear: .userPINInitialized))
        case .noPINLocked:
            try keychain.lock()
            mock.script(.flags(set: [], clear: .userPINInitialized))
        case .unblockedLocked: try keychain.removePasscode()
        case .unblockedUnlocked:
            try keychain.removePasscode()
            try keychain.unlock()
        }
    }

    /// An item could not be added before: the cells would tell nothing.
    struct NotReached: Error {}
}
