// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// What `keyfob status` shows.
package struct StatusReport: Hashable, Sendable {
    /// How the token's login is.
    package enum State: String, Hashable, Sendable {
        case noToken = "no token"
        case beforeFirstUnlock = "before first unlock"
        case unlocked
        case locked
        case pinBlocked = "PIN blocked"
    }

    /// One class key.
    package struct ClassKey: Hashable, Sendable {
        package let accessibility: Accessibility
        package let isUsable: Bool
        package let suite: String
        /// Where the key lives, in a few words.
        package let residence: String
        package let generation: UInt32
        /// How often it has sealed.
        package let seals: UInt64

        package init(
            accessibility: Accessibility, isUsable: Bool, suite: String, residence: String, generation: UInt32,
            seals: UInt64
        ) {
            self.accessibility = accessibility
            self.isUsable = isUsable
            self.suite = suite
            self.residence = residence
            self.generation = generation
            self.seals = seals
        }
    }

    package let folder: String
    /// Lower case, with hyphens.
    package let uuid: String
    package let token: TokenIdentity
    package let state: State
    package let triesLeft: KeychainError.TriesLeft
    package let items: Int
    package let classKeys: [ClassKey]

    package init(
        folder: String, uuid: String, token: TokenIdentity, state: State, triesLeft: KeychainError.TriesLeft,
        items: Int, classKeys: [ClassKey]
    ) {
        self.folder = folder
        self.uuid = uuid
        self.token = token
        self.state = state
        self.triesLeft = triesLeft
        self.items = items
        self.classKeys = classKeys
    }
}
