// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import KeyfobTestSupport

/// Random failures. The switches have no default: a case that is new and not in a list does not compile.
extension SeededRandom {
    static let operations: [KeychainError.Operation] = (1...UInt8.max).compactMap { .init(rawValue: $0) }

    mutating func error() -> KeychainError {
        KeychainError(
            KeychainError.Code(rawValue: UInt16(truncatingIfNeeded: next())), one(of: Self.operations),
            subject: maybe { random in random.one(of: random.subjects()) },
            cause: maybe { random in random.one(of: random.causes()) },
            remedy: maybe { random in random.one(of: random.remedies()) })
    }

    /// One of each kind.
    mutating func subjects() -> [KeychainError.Subject] {
        [
            .item(reference()), .token(token()), .tokenURI(text()), .path(text()), .parameter(text()),
            .classKey(accessibility()), .accessGroup(group()), .daemon(text()),
        ]
    }

    /// Where a kind stands in the list.
    static func place(_ subject: KeychainError.Subject) -> Int {
        switch subject {
        case .item: 0
        case .token: 1
        case .tokenURI: 2
        case .path: 3
        case .parameter: 4
        case .classKey: 5
        case .accessGroup: 6
        case .daemon: 7
        }
    }

    /// One of each kind.
    mutating func causes() -> [KeychainError.Cause] {
        [
            .pkcs11(function: text(), returnValue: UInt(next())), .sqlite(statement: text(), code: int32()),
            .libcrypto((0..<below(4)).map { _ in UInt(next()) }), .posix(call: text(), errno: int32()),
            .format(place: text(), fault: text()), .process(pid: int32()),
        ]
    }

    /// Where a kind stands in the list.
    static func place(_ cause: KeychainError.Cause) -> Int {
        switch cause {
        case .pkcs11: 0
        case .sqlite: 1
        case .libcrypto: 2
        case .posix: 3
        case .format: 4
        case .process: 5
        }
    }

    /// One of each kind.
    mutating func remedies() -> [KeychainError.Remedy] {
        [
            .unlock, .insertToken, .enterCorrectPIN(triesLeft: triesLeft()), .giveFinalTry, .unblockWithSO,
            .initializeToken, .provision, .stopOwner(pid: int32()), .freeDiskSpace, .fixPermissions, .fixConfiguration,
            .raiseLockedMemoryLimit, .restoreFromBackup, .nameOneToken, .installModule,
            .choosePINLength(minimum: count(), maximum: count()), .createKeychain, .rotate, .giveAccessGroup,
            .startDaemon, .tryAgain, .askOwner, .updateKeyfob, .changePIN, .choosePIN, .remakeToken, .allowHostHeld,
            .giveKeyID,
        ]
    }

    /// Where a kind stands in the list.
    static func place(_ remedy: KeychainError.Remedy) -> Int {
        switch remedy {
        case .unlock: 0
        case .insertToken: 1
        case .enterCorrectPIN: 2
        case .giveFinalTry: 3
        case .unblockWithSO: 4
        case .initializeToken: 5
        case .provision: 6
        case .stopOwner: 7
        case .freeDiskSpace: 8
        case .fixPermissions: 9
        case .fixConfiguration: 10
        case .raiseLockedMemoryLimit: 11
        case .restoreFromBackup: 12
        case .nameOneToken: 13
        case .installModule: 14
        case .choosePINLength: 15
        case .createKeychain: 16
        case .rotate: 17
        case .giveAccessGroup: 18
        case .startDaemon: 19
        case .tryAgain: 20
        case .askOwner: 21
        case .updateKeyfob: 22
        case .changePIN: 23
        case .choosePIN: 24
        case .remakeToken: 25
        case .allowHostHeld: 26
        case .giveKeyID: 27
        }
    }
}
