// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobModel
import KeyfobSQLite
import Testing

@testable import KeyfobStore

struct ErrorMappingTests {
    private func code(_ code: Int32, errno: Int32 = 0) -> KeychainError.Code {
        let error = SQLiteError(ResultCode(rawValue: code), statement: "insertItem", systemErrno: errno)
        return KeychainError(error, .add, path: "/store").code
    }

    @Test(
        arguments: [
            (3, KeychainError.Code.permissions), (5, .keychainInUse), (7, .outOfMemory), (8, .readOnly),
            (1544, .readOnly), (10, .inputOutput), (1034, .inputOutput), (3082, .outOfMemory), (8202, .storeDamaged),
            (8458, .storeDamaged), (11, .storeDamaged), (779, .storeDamaged), (13, .diskFull), (15, .keychainInUse),
            (18, .invalidParameter), (19, .internalError), (787, .internalError), (2067, .duplicateItem),
            (21, .internalError), (24, .storeDamaged), (26, .storeDamaged), (1, .storeDamaged), (17, .storeDamaged),
            (77, .internalError),
        ] as [(Int32, KeychainError.Code)])
    func `A result code has one meaning`(_ number: Int32, _ expected: KeychainError.Code) {
        #expect(code(number) == expected)
    }

    @Test(
        arguments: [
            (778, ENOSPC, KeychainError.Code.diskFull), (778, EDQUOT, .diskFull), (778, EFBIG, .diskFull),
            (778, EROFS, .readOnly), (778, EACCES, .permissions), (778, EIO, .inputOutput),
            (14, ENOENT, .keychainNotFound),
            (14, EACCES, .permissions), (14, EROFS, .readOnly), (14, EMFILE, .inputOutput),
        ] as [(Int32, Int32, KeychainError.Code)])
    func `The system's error decides where SQLite's is vague`(
        _ number: Int32, _ errno: Int32, _ expected: KeychainError.Code
    ) {
        #expect(code(number, errno: errno) == expected)
    }

    @Test func `The cause keeps the statement and the extended number`() {
        let error = KeychainError(SQLiteError(ResultCode(rawValue: 4242), statement: "seek"), .verify, path: "/store")
        #expect(error.cause == .sqlite(statement: "seek", code: 4242))
        #expect(error.operation == .verify)
        #expect(error.subject == .path("/store"))
    }
}
