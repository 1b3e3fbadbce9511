// SPDX-License-Identifier: Apache-2.0

/// The error of every engine, vault, store and client function: what failed, on what, why, and what to do next.
///
/// Holds names and numbers only, never a secret, a PIN, an account or a service.
package struct KeychainError: Error, Hashable, Sendable {
    package let code: Code
    package let operation: Operation
    package let subject: Subject?
    package let cause: Cause?
    package let remedy: Remedy?

    package init(
        _ code: Code, _ operation: Operation, subject: Subject? = nil, cause: Cause? = nil, remedy: Remedy? = nil
    ) {
        self.code = code
        self.operation = operation
        self.subject = subject
        self.cause = cause
        self.remedy = remedy
    }

    /// What was being done.
    package enum Operation: UInt8, Hashable, Sendable {
        case add = 1
        case copyMatching = 2
        case update = 3
        case delete = 4
        case open = 5
        case create = 6
        case unlock = 7
        case lock = 8
        case provision = 9
        case verify = 10
        case status = 11
        case configure = 12
        case prompt = 13
        /// Reaching a daemon.
        case connect = 14
        /// Serving other programs.
        case serve = 15
        case audit = 16
        case changePIN = 32
        /// A new user PIN by the security officer.
        case unblock = 33
    }

    /// What it was being done to.
    package enum Subject: Hashable, Sendable {
        case item(PersistentReference)
        case token(TokenIdentity)
        /// A token that was looked for and not found, by its URI.
        case tokenURI(String)
        /// A file or folder.
        case path(String)
        /// A key of a dictionary or configuration, or an option.
        case parameter(String)
        /// The class key of an accessibility class.
        case classKey(Accessibility)
        case accessGroup(AccessGroup)
        /// A daemon, by the path of its socket.
        case daemon(String)
    }

    /// The fault of the layer below, by name and number.
    package enum Cause: Hashable, Sendable {
        /// A Cryptoki function and the `CK_RV` it returned.
        case pkcs11(function: String, returnValue: UInt)
        /// A named statement and SQLite's extended result code.
        case sqlite(statement: String, code: Int32)
        /// The error queue of libcrypto, oldest first.
        case libcrypto([UInt])
        /// A system call and `errno`.
        case posix(call: String, errno: Int32)
        /// What was read is not what was written: the place and the fault, in words that name no secret.
        case format(place: String, fault: String)
        /// The process that holds what is wanted.
        case process(pid: Int32)
    }

    /// What the person should do next; the words are the command line's.
    package enum Remedy: Hashable, Sendable {
        case unlock
        case insertToken
        case enterCorrectPIN(triesLeft: TriesLeft)
        case giveFinalTry
        case unblockWithSO
        case initializeToken
        case provision
        case stopOwner(pid: Int32)
        case freeDiskSpace
        case fixPermissions
        case fixConfiguration
        case raiseLockedMemoryLimit
        case restoreFromBackup
        case nameOneToken
        case installModule
        case choosePINLength(minimum: Int, maximum: Int)
        case createKeychain
        case rotate
        case giveAccessGroup
        case startDaemon
        case tryAgain
        case askOwner
        case updateKeyfob
        case changePIN
        case choosePIN
        /// The security officer is locked out.
        case remakeToken
        /// The token cannot keep a class key inside; the administrator may allow that the host holds it.
        case allowHostHeld
        /// The token makes no keys; one of its pairs may be used.
        case giveKeyID
    }

    /// What a token tells about the tries that are left (`CKF_USER_PIN_COUNT_LOW`, `_FINAL_TRY`, `_LOCKED`).
    package enum TriesLeft: Hashable, Sendable {
        case unknown
        case few
        case one
        case none
    }
}
