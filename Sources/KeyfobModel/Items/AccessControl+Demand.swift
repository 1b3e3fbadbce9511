// SPDX-License-Identifier: Apache-2.0

extension AccessControl {
    /// One bit of `SecAccessControlCreateFlags`.
    package enum Constraint: UInt64, Hashable, Sendable, CaseIterable {
        case userPresence = 0x1
        case biometryAny = 0x2
        case biometryCurrentSet = 0x8
        case devicePasscode = 0x10
        case companion = 0x20
        case or = 0x4000
        case and = 0x8000
        case privateKeyUsage = 0x4000_0000
        case applicationPassword = 0x8000_0000
    }

    /// What it takes to open an item, besides its class key.
    package struct Demand: Hashable, Sendable {
        /// The token's PIN, at each use.
        package let needsPresence: Bool
        /// A password that the program supplies.
        package let needsApplicationPassword: Bool

        package init(needsPresence: Bool, needsApplicationPassword: Bool) {
            self.needsPresence = needsPresence
            self.needsApplicationPassword = needsApplicationPassword
        }
    }

    /// Why a token cannot do what an access control asks for.
    package enum Obstacle: Error, Hashable, Sendable {
        /// The constraint is for private keys.
        case isForKeys
        /// It asks for somebody to be recognised in a way that the token does not have.
        case notOnToken(Constraint)
    }

    /// Whether the object names the constraint.
    package func names(_ constraint: Constraint) -> Bool { flags & constraint.rawValue != 0 }

    /// Whether reading the item needs a person or a password: a lone `or` or `and` asks for nothing.
    package var isGuarded: Bool { (Self.asking + [.applicationPassword]).contains { names($0) } }

    /// What a token has to ask for; nil: nothing.
    ///
    /// With `or` one constraint that the token can honour is enough, else all have to be. An application password comes on
    /// top of either.
    ///
    /// - Parameter hasPinPad: whether the token recognises people itself (`CKF_PROTECTED_AUTHENTICATION_PATH`).
    package func demand(hasPinPad: Bool) throws(Obstacle) -> Demand? {
        if names(.privateKeyUsage) { throw .isForKeys }
        let asked = Self.asking.filter { names($0) }
        let missing = asked.filter { !Self.isHonoured($0, hasPinPad: hasPinPad) }
        if let first = missing.first, !names(.or) || missing.count == asked.count { throw .notOnToken(first) }
        guard isGuarded else { return nil }
        return Demand(needsPresence: !asked.isEmpty, needsApplicationPassword: names(.applicationPassword))
    }

    private static let asking: [Constraint] = [
        .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion,
    ]

    /// Whether an enrolled biometry has changed no token tells, so the current set is never honoured.
    private static func isHonoured(_ constraint: Constraint, hasPinPad: Bool) -> Bool {
        switch constraint {
        case .userPresence, .devicePasscode: true
        case .biometryAny: hasPinPad
        case .biometryCurrentSet, .companion, .or, .and, .privateKeyUsage, .applicationPassword: false
        }
    }
}
