// SPDX-License-Identifier: Apache-2.0
// A table of constants: the names of numbers that come from below. The command line links none of the libraries.
internal import Glibc

/// The names that C headers give to the numbers in a `KeychainError.Cause`.
package enum CauseName {
    /// The name of a `CK_RV` (PKCS #11 v3.1, pkcs11t.h), or `CKR_VENDOR_DEFINED` or `CKR_UNKNOWN`.
    package static func pkcs11(_ value: UInt) -> String {
        if let name = returnValues.first(where: { $0.0 == value })?.1 { return "CKR_\(name)" }
        return value >= 0x8000_0000 ? "CKR_VENDOR_DEFINED" : "CKR_UNKNOWN"
    }

    /// The name of an SQLite result code, an unknown extended one by its primary code.
    package static func sqlite(_ code: Int32) -> String {
        let found = resultCodes.first { $0.0 == code } ?? resultCodes.first { $0.0 == code & 0xFF }
        return "SQLITE_\(found?.1 ?? "UNKNOWN")"
    }

    /// The name of an `errno`, or `errno` for one that is not in the table.
    package static func posix(_ number: Int32) -> String {
        errors.first { $0.0 == number }?.1 ?? "errno"
    }

    private static let returnValues: [(UInt, String)] = [
        (0x00, "OK"), (0x01, "CANCEL"), (0x02, "HOST_MEMORY"), (0x03, "SLOT_ID_INVALID"), (0x05, "GENERAL_ERROR"),
        (0x06, "FUNCTION_FAILED"), (0x07, "ARGUMENTS_BAD"), (0x08, "NO_EVENT"), (0x09, "NEED_TO_CREATE_THREADS"),
        (0x0A, "CANT_LOCK"), (0x10, "ATTRIBUTE_READ_ONLY"), (0x11, "ATTRIBUTE_SENSITIVE"),
        (0x12, "ATTRIBUTE_TYPE_INVALID"), (0x13, "ATTRIBUTE_VALUE_INVALID"), (0x1B, "ACTION_PROHIBITED"),
        (0x20, "DATA_INVALID"), (0x21, "DATA_LEN_RANGE"), (0x30, "DEVICE_ERROR"), (0x31, "DEVICE_MEMORY"),
        (0x32, "DEVICE_REMOVED"), (0x40, "ENCRYPTED_DATA_INVALID"), (0x41, "ENCRYPTED_DATA_LEN_RANGE"),
        (0x42, "AEAD_DECRYPT_FAILED"), (0x50, "FUNCTION_CANCELED"), (0x51, "FUNCTION_NOT_PARALLEL"),
        (0x54, "FUNCTION_NOT_SUPPORTED"), (0x60, "KEY_HANDLE_INVALID"), (0x62, "KEY_SIZE_RANGE"),
        (0x63, "KEY_TYPE_INCONSISTENT"), (0x64, "KEY_NOT_NEEDED"), (0x65, "KEY_CHANGED"), (0x66, "KEY_NEEDED"),
        (0x67, "KEY_INDIGESTIBLE"), (0x68, "KEY_FUNCTION_NOT_PERMITTED"), (0x69, "KEY_NOT_WRAPPABLE"),
        (0x6A, "KEY_UNEXTRACTABLE"), (0x70, "MECHANISM_INVALID"), (0x71, "MECHANISM_PARAM_INVALID"),
        (0x82, "OBJECT_HANDLE_INVALID"), (0x90, "OPERATION_ACTIVE"), (0x91, "OPERATION_NOT_INITIALIZED"),
        (0xA0, "PIN_INCORRECT"), (0xA1, "PIN_INVALID"), (0xA2, "PIN_LEN_RANGE"), (0xA3, "PIN_EXPIRED"),
        (0xA4, "PIN_LOCKED"), (0xB0, "SESSION_CLOSED"), (0xB1, "SESSION_COUNT"), (0xB3, "SESSION_HANDLE_INVALID"),
        (0xB4, "SESSION_PARALLEL_NOT_SUPPORTED"), (0xB5, "SESSION_READ_ONLY"), (0xB6, "SESSION_EXISTS"),
        (0xB7, "SESSION_READ_ONLY_EXISTS"), (0xB8, "SESSION_READ_WRITE_SO_EXISTS"), (0xC0, "SIGNATURE_INVALID"),
        (0xC1, "SIGNATURE_LEN_RANGE"), (0xD0, "TEMPLATE_INCOMPLETE"), (0xD1, "TEMPLATE_INCONSISTENT"),
        (0xE0, "TOKEN_NOT_PRESENT"), (0xE1, "TOKEN_NOT_RECOGNIZED"), (0xE2, "TOKEN_WRITE_PROTECTED"),
        (0xF0, "UNWRAPPING_KEY_HANDLE_INVALID"), (0xF1, "UNWRAPPING_KEY_SIZE_RANGE"),
        (0xF2, "UNWRAPPING_KEY_TYPE_INCONSISTENT"), (0x100, "USER_ALREADY_LOGGED_IN"), (0x101, "USER_NOT_LOGGED_IN"),
        (0x102, "USER_PIN_NOT_INITIALIZED"), (0x103, "USER_TYPE_INVALID"), (0x104, "USER_ANOTHER_ALREADY_LOGGED_IN"),
        (0x105, "USER_TOO_MANY_TYPES"), (0x110, "WRAPPED_KEY_INVALID"), (0x112, "WRAPPED_KEY_LEN_RANGE"),
        (0x113, "WRAPPING_KEY_HANDLE_INVALID"), (0x114, "WRAPPING_KEY_SIZE_RANGE"),
        (0x115, "WRAPPING_KEY_TYPE_INCONSISTENT"), (0x120, "RANDOM_SEED_NOT_SUPPORTED"), (0x121, "RANDOM_NO_RNG"),
        (0x130, "DOMAIN_PARAMS_INVALID"), (0x140, "CURVE_NOT_SUPPORTED"), (0x150, "BUFFER_TOO_SMALL"),
        (0x160, "SAVED_STATE_INVALID"), (0x170, "INFORMATION_SENSITIVE"), (0x180, "STATE_UNSAVEABLE"),
        (0x190, "CRYPTOKI_NOT_INITIALIZED"), (0x191, "CRYPTOKI_ALREADY_INITIALIZED"), (0x1A0, "MUTEX_BAD"),
        (0x1A1, "MUTEX_NOT_LOCKED"), (0x1B0, "NEW_PIN_MODE"), (0x1B1, "NEXT_OTP"), (0x1B5, "EXCEEDED_MAX_ITERATIONS"),
        (0x1B6, "FIPS_SELF_TEST_FAILED"), (0x1B7, "LIBRARY_LOAD_FAILED"), (0x1B8, "PIN_TOO_WEAK"),
        (0x1B9, "PUBLIC_KEY_INVALID"), (0x200, "FUNCTION_REJECTED"), (0x201, "TOKEN_RESOURCE_EXCEEDED"),
        (0x202, "OPERATION_CANCEL_FAILED"), (0x203, "KEY_EXHAUSTED"),
    ]

    private static let resultCodes: [(Int32, String)] = [
        (0, "OK"), (1, "ERROR"), (2, "INTERNAL"), (3, "PERM"), (4, "ABORT"), (5, "BUSY"), (6, "LOCKED"), (7, "NOMEM"),
        (8, "READONLY"), (9, "INTERRUPT"), (10, "IOERR"), (11, "CORRUPT"), (12, "NOTFOUND"), (13, "FULL"),
        (14, "CANTOPEN"), (15, "PROTOCOL"), (17, "SCHEMA"), (18, "TOOBIG"), (19, "CONSTRAINT"), (20, "MISMATCH"),
        (21, "MISUSE"), (22, "NOLFS"), (23, "AUTH"), (25, "RANGE"), (26, "NOTADB"), (261, "BUSY_RECOVERY"),
        (264, "READONLY_RECOVERY"), (266, "IOERR_READ"), (267, "CORRUPT_VTAB"), (270, "CANTOPEN_NOTEMPDIR"),
        (275, "CONSTRAINT_CHECK"), (517, "BUSY_SNAPSHOT"), (520, "READONLY_CANTLOCK"), (522, "IOERR_SHORT_READ"),
        (526, "CANTOPEN_ISDIR"), (773, "BUSY_TIMEOUT"), (776, "READONLY_ROLLBACK"), (778, "IOERR_WRITE"),
        (782, "CANTOPEN_FULLPATH"), (787, "CONSTRAINT_FOREIGNKEY"), (1032, "READONLY_DBMOVED"), (1034, "IOERR_FSYNC"),
        (1288, "READONLY_CANTINIT"), (1290, "IOERR_DIR_FSYNC"), (1299, "CONSTRAINT_NOTNULL"),
        (1544, "READONLY_DIRECTORY"), (1546, "IOERR_TRUNCATE"), (1555, "CONSTRAINT_PRIMARYKEY"),
        (1811, "CONSTRAINT_TRIGGER"), (2067, "CONSTRAINT_UNIQUE"), (2579, "CONSTRAINT_ROWID"),
        (3091, "CONSTRAINT_DATATYPE"), (3850, "IOERR_LOCK"), (4618, "IOERR_SHMOPEN"),
    ]

    private static let errors: [(Int32, String)] = [
        (EPERM, "EPERM"), (ENOENT, "ENOENT"), (EINTR, "EINTR"), (EIO, "EIO"), (ENXIO, "ENXIO"), (E2BIG, "E2BIG"),
        (ENOEXEC, "ENOEXEC"), (EBADF, "EBADF"), (ECHILD, "ECHILD"), (EAGAIN, "EAGAIN"), (ENOMEM, "ENOMEM"),
        (EACCES, "EACCES"), (EFAULT, "EFAULT"), (EBUSY, "EBUSY"), (EEXIST, "EEXIST"), (EXDEV, "EXDEV"),
        (ENODEV, "ENODEV"), (ENOTDIR, "ENOTDIR"), (EISDIR, "EISDIR"), (EINVAL, "EINVAL"), (ENFILE, "ENFILE"),
        (EMFILE, "EMFILE"), (ENOTTY, "ENOTTY"), (EFBIG, "EFBIG"), (ENOSPC, "ENOSPC"), (ESPIPE, "ESPIPE"),
        (EROFS, "EROFS"), (EPIPE, "EPIPE"), (ENAMETOOLONG, "ENAMETOOLONG"), (ENOSYS, "ENOSYS"), (ELOOP, "ELOOP"),
        (EOVERFLOW, "EOVERFLOW"), (EOPNOTSUPP, "EOPNOTSUPP"), (ECONNRESET, "ECONNRESET"), (ETIMEDOUT, "ETIMEDOUT"),
        (ECONNREFUSED, "ECONNREFUSED"), (EDQUOT, "EDQUOT"),
    ]
}
