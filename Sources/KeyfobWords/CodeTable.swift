// SPDX-License-Identifier: Apache-2.0
// A table of constants: the name, the words and the exit status of each error code. docs/errors.md shows the same.
package import KeyfobModel

/// What is said about one `KeychainError.Code`.
package struct CodeWords: Sendable {
    package let code: KeychainError.Code
    /// The name of its constant.
    package let name: String
    package let meaning: String
    package let status: ExitStatus

    fileprivate init(_ code: KeychainError.Code, _ name: String, _ status: ExitStatus, _ meaning: String) {
        self.code = code
        self.name = name
        self.meaning = meaning
        self.status = status
    }

    /// Every code there is, by number.
    package static let all: [CodeWords] = [
        .init(.invalidParameter, "invalidParameter", .usage, "a parameter is malformed or contradicts another"),
        .init(.noSuchAttribute, "noSuchAttribute", .usage, "items of this class have no such attribute"),
        .init(.noSuchClass, "noSuchClass", .usage, "there is no such class of items"),
        .init(.duplicateItem, "duplicateItem", .ambiguous, "the item already exists"),
        .init(.itemNotFound, "itemNotFound", .notFound, "there is no such item"),
        .init(.missingEntitlement, "missingEntitlement", .denied, "this program is not given the access group"),
        .init(.unimplemented, "unimplemented", .failure, "this build or this token cannot do that"),
        .init(.interactionNotAllowed, "interactionNotAllowed", .locked, "the keychain is locked"),
        .init(.notAvailable, "notAvailable", .token, "the token or its class key is not there"),
        .init(.tokenNotFound, "tokenNotFound", .token, "the token was not found"),
        .init(.tokenAmbiguous, "tokenAmbiguous", .token, "more than one token fits"),
        .init(.moduleNotLoadable, "moduleNotLoadable", .token, "the PKCS #11 module cannot be loaded"),
        .init(.wrongToken, "wrongToken", .token, "this is not the token that the keychain was made with"),
        .init(.notProvisioned, "notProvisioned", .token, "the token holds no class keys of this keychain"),
        .init(.pinIncorrect, "pinIncorrect", .pinRefused, "the token refused the PIN"),
        .init(.pinLocked, "pinLocked", .pinRefused, "the PIN of the token is locked"),
        .init(.pinFinalTry, "pinFinalTry", .pinRefused, "one try is left before the token locks; the PIN was not sent"),
        .init(
            .pinLength, "pinLength", .pinRefused, "the PIN is shorter or longer than the token allows; it was not sent"),
        .init(.pinExpired, "pinExpired", .pinRefused, "the PIN has expired, or is to be changed before it is used"),
        .init(.pinNotSet, "pinNotSet", .pinRefused, "the token has no user PIN yet"),
        .init(.pinNotGiven, "pinNotGiven", .locked, "no PIN could be had"),
        .init(.canceled, "canceled", .canceled, "canceled"),
        .init(.tokenFailed, "tokenFailed", .token, "the token failed"),
        .init(.residenceRefused, "residenceRefused", .token, "the token cannot keep a key of this class as promised"),
        .init(.keyExhausted, "keyExhausted", .token, "the class key has sealed as often as is safe"),
        .init(.presenceRequired, "presenceRequired", .locked, "the item needs the PIN of the token at each use"),
        .init(
            .applicationPasswordRequired, "applicationPasswordRequired", .locked, "the item needs a password of its own"
        ),
        .init(.soPINIncorrect, "soPINIncorrect", .pinRefused, "the token refused the security officer's PIN"),
        .init(.soPINLocked, "soPINLocked", .pinRefused, "the PIN of the token's security officer is locked"),
        .init(
            .soPINFinalTry, "soPINFinalTry", .pinRefused,
            "one try of the security officer's PIN is left; it was not sent"),
        .init(.pinUnsuitable, "pinUnsuitable", .pinRefused, "the token does not take such a PIN"),
        .init(
            .applicationPasswordIncorrect, "applicationPasswordIncorrect", .pinRefused,
            "the password is not that of the item"),
        .init(.diskFull, "diskFull", .inputOutput, "the disk is full"),
        .init(.inputOutput, "inputOutput", .inputOutput, "reading or writing failed"),
        .init(.readOnly, "readOnly", .inputOutput, "the keychain is on a read-only disk or in a read-only file"),
        .init(.storeDamaged, "storeDamaged", .damaged, "the store is damaged or is not one"),
        .init(.storeTooNew, "storeTooNew", .damaged, "the store was written by a newer Keyfob"),
        .init(.keychainInUse, "keychainInUse", .inUse, "another process owns the keychain"),
        .init(.keychainNotFound, "keychainNotFound", .notConfigured, "there is no keychain yet"),
        .init(.keychainExists, "keychainExists", .ambiguous, "there is a keychain already"),
        .init(.itemDamaged, "itemDamaged", .damaged, "the item does not open: it is damaged or is not what was sealed"),
        .init(.permissions, "permissions", .denied, "others may get at this, or you may not"),
        .init(.outOfMemory, "outOfMemory", .failure, "there is no memory for secrets"),
        .init(.memoryNotLocked, "memoryNotLocked", .failure, "memory for secrets cannot be locked"),
        .init(.configurationInvalid, "configurationInvalid", .configuration, "the configuration is wrong"),
        .init(.timedOut, "timedOut", .inUse, "it took too long"),
        .init(.internalError, "internalError", .failure, "a fault of Keyfob itself"),
        .init(.busy, "busy", .inUse, "the daemon has too much to do"),
        .init(.daemonNotAnswering, "daemonNotAnswering", .noDaemon, "the daemon does not answer"),
        .init(.protocolMismatch, "protocolMismatch", .noDaemon, "the daemon is of another version"),
        .init(.messageMalformed, "messageMalformed", .failure, "a message is malformed"),
        .init(.notOwner, "notOwner", .denied, "only the keychain's owner may do that"),
    ]
}

extension KeychainError.Code {
    /// The words of this code; a code without any is a fault of Keyfob, and keeps its number.
    package var words: CodeWords {
        CodeWords.all.first { $0.code == self }
            ?? CodeWords(self, "code\(rawValue)", .failure, "error \(rawValue), which this build has no words for")
    }
}
