// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

/// How the class keys of a keychain are made, by when they work; as the token was found.
struct KeyPlan: Hashable, Sendable {
    let suite: Suite
    let afterFirstUnlock: Residence
    /// What wraps, for keys that the token unwraps.
    let wrap: WrappedKey.Wrap?
    let always: Residence

    func residence(_ accessibility: Accessibility) -> Residence {
        switch accessibility.availability {
        case .whileUnlocked: .tokenPrivate
        case .afterFirstUnlock: afterFirstUnlock
        case .always: always
        }
    }
}
