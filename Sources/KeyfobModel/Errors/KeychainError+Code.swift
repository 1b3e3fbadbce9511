// SPDX-License-Identifier: Apache-2.0

extension KeychainError {
    /// What kind of failure it is.
    ///
    /// The number is the wire value; docs/errors.md lists them.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        // MARK: - What a caller did

        /// A parameter is malformed or contradicts another.
        package static let invalidParameter = Self(rawValue: 1)
        /// The class has no such attribute.
        package static let noSuchAttribute = Self(rawValue: 2)
        /// There is no such class, or it is not that of the reference.
        package static let noSuchClass = Self(rawValue: 3)
        package static let duplicateItem = Self(rawValue: 4)
        package static let itemNotFound = Self(rawValue: 5)
        /// The caller is not given the access group.
        package static let missingEntitlement = Self(rawValue: 6)
        /// Known, and not done by this build or token.
        package static let unimplemented = Self(rawValue: 7)

        // MARK: - States of the token

        /// The class key is locked: unlock first.
        package static let interactionNotAllowed = Self(rawValue: 20)
        /// No token, or a class key that does not exist.
        package static let notAvailable = Self(rawValue: 21)
        package static let tokenNotFound = Self(rawValue: 22)
        /// More than one token fits the URI.
        package static let tokenAmbiguous = Self(rawValue: 23)
        package static let moduleNotLoadable = Self(rawValue: 24)
        /// Another token than the one the keychain was made with.
        package static let wrongToken = Self(rawValue: 25)
        package static let notProvisioned = Self(rawValue: 26)
        package static let pinIncorrect = Self(rawValue: 27)
        package static let pinLocked = Self(rawValue: 28)
        /// One try is left and nobody agreed to spend it.
        package static let pinFinalTry = Self(rawValue: 29)
        /// Shorter or longer than the token allows; it never reached the token.
        package static let pinLength = Self(rawValue: 30)
        package static let pinExpired = Self(rawValue: 31)
        /// The token has no user PIN yet.
        package static let pinNotSet = Self(rawValue: 32)
        /// No PIN could be had: no source, no terminal.
        package static let pinNotGiven = Self(rawValue: 33)
        package static let canceled = Self(rawValue: 34)
        /// The token answered with a fault that is not one of the above.
        package static let tokenFailed = Self(rawValue: 35)
        /// The token cannot keep a key of the class as its promise demands.
        package static let residenceRefused = Self(rawValue: 36)
        /// The class key has sealed as often as is safe.
        package static let keyExhausted = Self(rawValue: 37)
        /// The item needs a person, and no PIN came with the request; nothing was asked of the token.
        package static let presenceRequired = Self(rawValue: 38)
        /// The item needs a password of the program's, and none came with the request.
        package static let applicationPasswordRequired = Self(rawValue: 39)

        // MARK: - PINs and passwords

        /// The token refused the security officer's PIN.
        package static let soPINIncorrect = Self(rawValue: 40)
        package static let soPINLocked = Self(rawValue: 41)
        /// One try of the security officer's PIN is left and nobody agreed to spend it.
        package static let soPINFinalTry = Self(rawValue: 42)
        /// Not a PIN that the token takes, for what is in it or how simple it is.
        package static let pinUnsuitable = Self(rawValue: 43)
        /// The password of the program's is not the item's.
        package static let applicationPasswordIncorrect = Self(rawValue: 44)

        // MARK: - Store

        package static let diskFull = Self(rawValue: 50)
        package static let inputOutput = Self(rawValue: 51)
        package static let readOnly = Self(rawValue: 52)
        /// The store is not one, or its pages are damaged.
        package static let storeDamaged = Self(rawValue: 53)
        /// Written by a newer Keyfob.
        package static let storeTooNew = Self(rawValue: 54)
        /// Another process owns the keychain.
        package static let keychainInUse = Self(rawValue: 55)
        package static let keychainNotFound = Self(rawValue: 56)
        package static let keychainExists = Self(rawValue: 57)
        /// One item does not open, or differs from what was sealed.
        package static let itemDamaged = Self(rawValue: 58)
        /// A file or folder that others may read.
        package static let permissions = Self(rawValue: 59)

        // MARK: - Process

        package static let outOfMemory = Self(rawValue: 70)
        /// Secret memory must be locked and cannot be.
        package static let memoryNotLocked = Self(rawValue: 71)
        package static let configurationInvalid = Self(rawValue: 72)
        package static let timedOut = Self(rawValue: 73)
        /// A fault of our own.
        package static let internalError = Self(rawValue: 74)

        // MARK: - Daemon

        /// More requests wait than the daemon keeps.
        package static let busy = Self(rawValue: 80)
        /// No daemon answers at the socket, or it went away in the middle of a request.
        package static let daemonNotAnswering = Self(rawValue: 81)
        /// The two ends speak no common version of the protocol.
        package static let protocolMismatch = Self(rawValue: 82)
        /// A message that is not one (docs/wire.md).
        package static let messageMalformed = Self(rawValue: 83)
        /// Only the keychain's owner may do that.
        package static let notOwner = Self(rawValue: 84)
    }
}
