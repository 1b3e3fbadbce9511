// SPDX-License-Identifier: Apache-2.0

/// What `keyfob status` shows of an open keychain, and of the process that has it open.
package struct KeychainStatus: Hashable, Sendable {
    /// One class key.
    package struct Key: Hashable, Sendable {
        package let id: ClassKeyID
        package let suite: Suite
        package let residence: Residence
        /// Whether items of the class can be used in the present state.
        package let isUsable: Bool
        /// Rows sealed under it.
        package let items: Int
        /// How often it has sealed at most.
        package let seals: Int64
        /// Whether it has sealed so often that it should be rotated.
        package let needsRotation: Bool

        package init(
            id: ClassKeyID, suite: Suite, residence: Residence, isUsable: Bool, items: Int, seals: Int64,
            needsRotation: Bool
        ) {
            self.id = id
            self.suite = suite
            self.residence = residence
            self.isUsable = isUsable
            self.items = items
            self.seals = seals
            self.needsRotation = needsRotation
        }
    }

    /// The keychain's folder.
    package let home: String
    package let keychain: ItemUUID
    package let lockState: LockState
    package let token: TokenIdentity
    package let tokenURI: String
    /// Why the token is not there; nil while it is.
    package let absence: KeychainError?
    /// What the token says about the user PIN right now.
    package let triesLeft: KeychainError.TriesLeft
    package let isSoftwareToken: Bool
    /// Whether the PIN can be entered on the token's device.
    package let hasPINPad: Bool
    /// Whether the token says that it has no user PIN, so that nobody can log in.
    package let lacksUserPIN: Bool
    /// Where the configuration says that the PIN comes from, or nil.
    package let pinSource: String?
    /// The pinentry program that the configuration names, or nil.
    package let pinentry: String?
    /// Newest generation last.
    package let keys: [Key]
    package let items: Int
    package let process: ProcessStatus
    /// When and why it was locked last since it was opened, or nil: it was not.
    package let lastLock: LastLock?
    /// By what its daemon locks it, or nil: no daemon has it.
    package var triggers: LockTriggers?
    /// Whether items that need a person can be kept; nil: not known before a login.
    package var presence: Presence?
    /// The cache of opened item keys; nil: it is off.
    package var itemKeyCache: ItemKeyCacheStatus?

    /// Whether the token's module runs in a process of its own.
    package var isModuleIsolated = false

    /// What was found about a token and items that need a person.
    package enum Presence: UInt8, Hashable, Sendable {
        /// There is a key that asks for the PIN at each use.
        case enforced = 1
        /// The token does not ask, so such items are refused.
        case refused = 2
    }

    package init(
        home: String, keychain: ItemUUID, lockState: LockState, token: TokenIdentity, tokenURI: String,
        absence: KeychainError? = nil, triesLeft: KeychainError.TriesLeft, isSoftwareToken: Bool, pinSource: String?,
        pinentry: String?, keys: [Key], items: Int, process: ProcessStatus, lastLock: LastLock? = nil,
        triggers: LockTriggers? = nil, presence: Presence? = nil, hasPINPad: Bool = false,
        lacksUserPIN: Bool = false
    ) {
        self.home = home
        self.keychain = keychain
        self.lockState = lockState
        self.token = token
        self.tokenURI = tokenURI
        self.absence = absence
        self.triesLeft = triesLeft
        self.isSoftwareToken = isSoftwareToken
        self.hasPINPad = hasPINPad
        self.lacksUserPIN = lacksUserPIN
        self.pinSource = pinSource
        self.pinentry = pinentry
        self.keys = keys
        self.items = items
        self.process = process
        self.lastLock = lastLock
        self.triggers = triggers
        self.presence = presence
    }
}
