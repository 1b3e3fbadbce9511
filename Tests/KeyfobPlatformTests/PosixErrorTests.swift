// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobModel
import KeyfobPlatform
import Testing

struct PosixErrorTests {
    private static let table: [(Int32, KeychainError.Code, KeychainError.Remedy?)] = [
        (EACCES, .permissions, .fixPermissions), (EPERM, .permissions, .fixPermissions),
        (ENOSPC, .diskFull, .freeDiskSpace), (EDQUOT, .diskFull, .freeDiskSpace),
        (EROFS, .readOnly, nil), (ENOMEM, .outOfMemory, nil), (EIO, .inputOutput, nil), (EMFILE, .inputOutput, nil),
    ]

    @Test(arguments: table)
    func `An errno becomes the code and remedy that a person can act on`(
        errno: Int32, code: KeychainError.Code, remedy: KeychainError.Remedy?
    ) {
        let error = KeychainError(PosixError(call: "open", errno: errno), .open, path: "/x")
        #expect(error.code == code)
        #expect(error.remedy == remedy)
        #expect(error.cause == .posix(call: "open", errno: errno))
        #expect(error.subject == .path("/x"))
    }

    @Test func `What is missing has the code that the caller gives it`() {
        let error = KeychainError(
            PosixError(call: "open", errno: ENOENT), .open, missing: .keychainNotFound, remedy: .createKeychain)
        #expect(error.code == .keychainNotFound)
        #expect(error.remedy == .createKeychain)
    }

    @Test func `A descriptor is closed when its owner lets go and not inherited`() throws {
        var number: Int32 = -1
        do {
            let file = try Descriptor.open("/dev/null", O_RDONLY)
            number = file.rawValue
            #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
            _ = consume file
        }
        #expect(number >= 0)
    }

    @Test func `A file above the limit is an error`() throws {
        let folder = try TemporaryFolder()
        let file = try Descriptor.open(folder.file("f", "12345"), O_RDONLY)
        let error = #expect(throws: PosixError.self) { try file.contents(limit: 4) }
        #expect(error?.errno == EFBIG)
    }
}
