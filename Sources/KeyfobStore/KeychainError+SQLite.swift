// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobModel
package import KeyfobSQLite

extension KeychainError {
    /// The error for a failed SQLite call on the store at `path`: the one place where its codes get their meaning.
    ///
    /// The statement and the extended number stay in `cause`; what only a fault of ours can cause is `.internalError`.
    package init(_ error: SQLiteError, _ operation: Operation, path: String) {
        let code = Self.code(error)
        self.init(
            code, operation, subject: .path(path),
            cause: .sqlite(statement: error.statement, code: error.code.rawValue), remedy: Self.remedy(code))
    }

    /// The error for a read that failed.
    init(_ fault: ReadFault, _ operation: Operation, path: String) {
        switch fault {
        case .sqlite(let error): self.init(error, operation, path: path)
        case .malformedRow(let place): self = .damagedStore("malformed row: \(place)", operation, path: path)
        }
    }

    private static func code(_ error: SQLiteError) -> Code {
        guard let primary = error.code.primary else { return .internalError }
        switch primary {
        case .permission: return .permissions
        case .busy, .protocol: return .keychainInUse
        case .noMemory: return .outOfMemory
        case .readOnly: return .readOnly
        case .interrupt: return .canceled
        case .inputOutput: return inputOutputCode(error)
        case .corrupt, .notADatabase, .format: return .storeDamaged
        // Every statement fits the schema that was checked, so it is the schema's text that was changed.
        case .error, .schema: return .storeDamaged
        case .full: return .diskFull
        case .cannotOpen: return openCode(error.systemErrno)
        case .tooBig: return .invalidParameter
        case .constraint: return error.code == .constraintUnique ? .duplicateItem : .internalError
        case .noLargeFiles: return .inputOutput
        case .ok, .row, .done, .notice, .warning, .internal, .abort, .locked, .notFound, .empty, .mismatch, .misuse,
            .authorization, .range:
            return .internalError
        }
    }

    /// A quota or a file size limit is a full disk to the person who meets it, though SQLite calls it an I/O error.
    private static func inputOutputCode(_ error: SQLiteError) -> Code {
        switch error.code {
        case .inputOutputNoMemory: return .outOfMemory
        case .inputOutputData, .inputOutputCorruptFileSystem: return .storeDamaged
        default: break
        }
        switch error.systemErrno {
        case ENOSPC, EDQUOT, EFBIG: return .diskFull
        case EROFS: return .readOnly
        case EACCES, EPERM: return .permissions
        default: return .inputOutput
        }
    }

    private static func openCode(_ systemErrno: Int32) -> Code {
        switch systemErrno {
        case ENOENT: .keychainNotFound
        case EACCES, EPERM: .permissions
        case EROFS: .readOnly
        case ENOSPC, EDQUOT: .diskFull
        default: .inputOutput
        }
    }

    private static func remedy(_ code: Code) -> Remedy? {
        switch code {
        case .diskFull: .freeDiskSpace
        case .permissions, .readOnly: .fixPermissions
        case .storeDamaged: .restoreFromBackup
        case .keychainNotFound: .createKeychain
        default: nil
        }
    }

    /// The error for a failed system call on the file or folder at `path`.
    package init(systemCall: String, errno: Int32, _ operation: Operation, path: String) {
        let code: Code =
            switch errno {
            case ENOENT, ENOTDIR: .keychainNotFound
            case EEXIST: .keychainExists
            case EACCES, EPERM: .permissions
            case EROFS: .readOnly
            case ENOSPC, EDQUOT, EFBIG: .diskFull
            default: .inputOutput
            }
        self.init(
            code, operation, subject: .path(path), cause: .posix(call: systemCall, errno: errno),
            remedy: Self.remedy(code))
    }

    /// The error for a call that came, or was under way, when the store had been closed.
    static func closedStore(_ operation: Operation, path: String) -> KeychainError {
        KeychainError(
            .notAvailable, operation, subject: .path(path), cause: .format(place: "keychain", fault: "was closed"))
    }

    /// The error for a store whose content is not what any version writes.
    static func damagedStore(_ fault: String, _ operation: Operation, path: String) -> KeychainError {
        KeychainError(
            .storeDamaged, operation, subject: .path(path), cause: .format(place: "store", fault: fault),
            remedy: .restoreFromBackup)
    }
}
