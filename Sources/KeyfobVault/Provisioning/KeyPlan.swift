// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

/// How the class keys of a keychain are made, by when they work; as the token was found.
struct KeyPlan: Sendable {
    let suite: Suite
    let afterFirstUnlock: Residence
    /// What wraps, for keys that the token unwraps.
    let wrap: WrappedKey.Wrap?
    let always: Residence
    /// The pair that every class uses; nil: keys are made.
    var adopted: AdoptedPair?

    init(suite: Suite, afterFirstUnlock: Residence, wrap: WrappedKey.Wrap?, always: Residence) {
        self.suite = suite
        self.afterFirstUnlock = afterFirstUnlock
        self.wrap = wrap
        self.always = always
    }

    /// A plan by which nothing is made on the token.
    init(adopting pair: AdoptedPair) {
        self.init(suite: pair.suite, afterFirstUnlock: .hostHeld, wrap: nil, always: .hostHeld)
        adopted = pair
    }

    /// How the key of a class is kept that uses an adopted pair: what the passcode class seals must be possible to destroy,
    /// and the pair is not.
    static func adoptedResidence(_ accessibility: Accessibility) -> Residence {
        switch accessibility {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly: .tokenPrivate
        case .whenPasscodeSetThisDeviceOnly, .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .always,
            .alwaysThisDeviceOnly:
            .hostHeld
        }
    }

    func residence(_ accessibility: Accessibility) -> Residence {
        guard adopted == nil else { return Self.adoptedResidence(accessibility) }
        return switch accessibility.availability {
        case .whileUnlocked: .tokenPrivate
        case .afterFirstUnlock: afterFirstUnlock
        case .always: always
        }
    }
}
