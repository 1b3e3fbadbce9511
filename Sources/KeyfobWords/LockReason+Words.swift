// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

extension LockReason {
    /// Why, in a few words that follow `locked:`.
    ///
    /// - Parameter idleSeconds: The time without use that is set, if any is.
    package func words(idleSeconds: Int?) -> String {
        switch self {
        case .explicit: "on request"
        case .idle: idleSeconds.map { "idle for \(IdleLimit.seconds($0).words)" } ?? "idle"
        case .signal: "SIGUSR1"
        case .suspend: "the machine was about to sleep"
        case .tokenRemoved: "the token was removed"
        case .loginLost: "another program logged out of the token"
        case .daemonEnd: "its process ended"
        case .tokenUnblock: "for keyfob token unblock"
        }
    }
}

extension IdleLimit {
    /// `15 minutes`, `1 hour`: in the largest unit of which it is a whole number.
    package var words: String {
        guard let seconds else { return "never" }
        let number = Int(text.dropLast()) ?? seconds
        let unit =
            switch text.last {
            case "d": "day"
            case "h": "hour"
            case "m": "minute"
            default: "second"
            }
        return "\(number) \(unit)\(number == 1 ? "" : "s")"
    }
}

extension LockTriggers {
    /// By what the keychain locks itself, and by what not although it should, in one line.
    package var words: String {
        var when: [String] = []
        if let idleSeconds { when.append("after \(IdleLimit.seconds(idleSeconds).words) without use") }
        switch suspend {
        case .unwatched: break
        case .watched: when.append("before the machine sleeps")
        case .unavailable: when.append("not before sleep: no system bus, or no logind")
        }
        return when.isEmpty ? "never" : when.joined(separator: "; ")
    }
}
