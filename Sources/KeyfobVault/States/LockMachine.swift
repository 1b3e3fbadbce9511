// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

/// Where a keychain stands between the coming, login, logout and going of its token: event in, actions out.
///
/// Knows no token, no thread and no clock.
/// ```
///                    tokenFound                     loggedIn, prepared
///   no token -------------------> before first ----------------------------> unlocked
///      ^                          unlock  ^                                   |    ^
///      | tokenLost, from any              | end, or loginLost       lock,     |    | loggedIn
///      | state                            | before `prepared`       loginLost v    |
///      +-------------------------- - - - -+- - - - - - - - - - - - - - - -  locked
/// ```
/// After-first-unlock keys are made between `loggedIn` and `prepared`; a brief login leaves that to the lock. What
/// outlives a lock must exist before the logout, so a lock that finds it missing makes it first.
struct LockMachine: Hashable, Sendable {
    /// What happened.
    enum Event: Hashable, Sendable, CaseIterable {
        /// The token took the PIN.
        case loggedIn
        /// The token took the PIN for a login that serves one operation.
        case loggedInBriefly
        /// The after-first-unlock keys work.
        case prepared
        /// They could not be made.
        case preparationFailed
        /// Somebody or something wants the keychain locked.
        case lock
        /// The token says that nobody is logged in: another part of the process, or another program at the card, has
        /// logged out.
        case loginLost
        /// The after-first-unlock keys had to make way for a security officer's login.
        case keysLetGo
        /// The token or all its sessions are gone.
        case tokenLost
        /// The token that was gone is back, with its keys.
        case tokenFound
        /// The keychain is closed.
        case end
    }

    /// What is to be done now, in the order given.
    enum Action: Hashable, Sendable {
        /// Make what has to outlive the logout; then `prepared` or `preparationFailed` is due.
        case prepare
        /// Wipe the metadata keys that the new state does not allow, and destroy such class keys on the token.
        case takeKeysAway
        /// Forget every key, without a word to the token.
        case forgetKeys
        /// Log out.
        case logOut
        /// Show that the keys that were taken away are refused by the token.
        case prove
    }

    private enum Phase: Hashable, Sendable {
        case resting
        /// Logged in; the after-first-unlock keys are being made. Where it goes back to if that fails.
        case unlocking(from: LockState)
        /// The same before a logout.
        case locking
    }

    private(set) var state = LockState.beforeFirstUnlock
    /// Whether the after-first-unlock keys of this run of the token exist.
    private(set) var isPrepared = false
    /// Counts the changes of state: a key that was made in another epoch is not kept.
    private(set) var epoch = 0
    /// Counts the times that the token came back.
    private(set) var returns = 0
    private var phase = Phase.resting

    /// Takes an event; one that means nothing in the present state changes nothing.
    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .loggedIn: loggedIn(isBrief: false)
        case .loggedInBriefly: loggedIn(isBrief: true)
        case .prepared: prepared()
        case .preparationFailed: preparationFailed()
        case .lock: lock()
        case .loginLost: loginLost()
        case .keysLetGo: keysLetGo()
        case .tokenLost: tokenLost()
        case .tokenFound: tokenFound()
        case .end: end()
        }
    }

    private mutating func enter(_ next: LockState) {
        state = next
        phase = .resting
        epoch += 1
        if next == .beforeFirstUnlock || next == .noToken { isPrepared = false }
    }

    private mutating func loggedIn(isBrief: Bool) -> [Action] {
        guard state == .beforeFirstUnlock || state == .locked else { return [] }
        let before = state
        enter(.unlocked)
        guard !isBrief, !isPrepared else { return [] }
        phase = .unlocking(from: before)
        return [.prepare]
    }

    private mutating func prepared() -> [Action] {
        guard state == .unlocked, phase != .resting else { return [] }
        isPrepared = true
        guard phase == .locking else {
            phase = .resting
            return []
        }
        return lock()
    }

    private mutating func preparationFailed() -> [Action] {
        defer { phase = .resting }
        // A lock that cannot keep what has to outlive it is not carried out: its caller is told.
        guard case .unlocking(let before) = phase else { return [] }
        enter(before)
        return [.takeKeysAway, .logOut]
    }

    private mutating func lock() -> [Action] {
        guard state == .unlocked else { return [] }
        guard isPrepared else {
            phase = .locking
            return [.prepare]
        }
        enter(.locked)
        return [.takeKeysAway, .logOut, .prove]
    }

    private mutating func loginLost() -> [Action] {
        guard state == .unlocked else { return [] }
        enter(isPrepared ? .locked : .beforeFirstUnlock)
        return [.takeKeysAway]
    }

    private mutating func keysLetGo() -> [Action] {
        guard state == .locked else { return [] }
        enter(.beforeFirstUnlock)
        return [.takeKeysAway]
    }

    private mutating func tokenLost() -> [Action] {
        guard state != .noToken else { return [] }
        enter(.noToken)
        return [.forgetKeys]
    }

    private mutating func tokenFound() -> [Action] {
        guard state == .noToken else { return [] }
        enter(.beforeFirstUnlock)
        returns += 1
        return []
    }

    private mutating func end() -> [Action] {
        guard state == .unlocked || state == .locked else { return [] }
        enter(.beforeFirstUnlock)
        return [.takeKeysAway, .logOut]
    }
}
