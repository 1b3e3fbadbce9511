// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobPlatform
import Testing

struct DescriptorTests {
    @Test func `A file never gets the number of a standard descriptor`() async {
        await #expect(processExitsWith: .success) {
            close(STDIN_FILENO)
            close(STDOUT_FILENO)
            let file = try Descriptor.open("/dev/null", O_RDONLY)
            precondition(file.rawValue > STDERR_FILENO)
            precondition(fcntl(file.rawValue, F_GETFD) == FD_CLOEXEC)
            precondition(fcntl(STDIN_FILENO, F_GETFD) < 0, "the number that was not wanted is free again")
        }
    }

    @Test func `Standard descriptors that are missing are occupied and stay errors`() async {
        await #expect(processExitsWith: .success) {
            for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { close(number) }
            StandardDescriptors.occupy()
            var byte: UInt8 = 0
            precondition(unsafe read(STDIN_FILENO, &byte, 1) < 0 && errno == EBADF)
            precondition(unsafe write(STDOUT_FILENO, &byte, 1) < 0 && errno == EBADF)
            precondition(unsafe write(STDERR_FILENO, &byte, 1) < 0 && errno == EBADF)
        }
    }

    @Test func `Standard descriptors that are there are left alone`() async {
        await #expect(processExitsWith: .success) {
            let file = try Descriptor.open("/dev/zero", O_RDONLY)
            dup2(file.rawValue, STDIN_FILENO)
            StandardDescriptors.occupy()
            var byte: UInt8 = 1
            precondition(unsafe read(STDIN_FILENO, &byte, 1) == 1 && byte == 0)
        }
    }

    @Test func `A non-blocking pipe is written and read whole`() throws {
        var ends: [Int32] = [-1, -1]
        #expect(unsafe pipe(&ends) == 0)
        for end in ends { #expect(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
        let reader = Descriptor(owning: ends[0])
        let text = String(repeating: "0123456789", count: 50_000)
        let number = ends[1]
        let writing = Background {
            // Closed at the end of the function, which is the end of the text.
            let writer = Descriptor(owning: number)
            return (try? writer.write(text)) != nil
        }
        var read: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe try chunk.withUnsafeMutableBytes { unsafe try reader.read(into: $0) }
            if count == 0 { break }
            read += chunk[..<count]
        }
        #expect(writing.join() == true)
        #expect(read == Array(text.utf8))
    }

    @Test func `The names in a folder come in order, without hidden ones`() throws {
        let folder = try TemporaryFolder()
        for name in ["b", "a", ".hidden", "é"] { _ = try folder.file(name, "") }
        #expect(try FolderNames.of(folder.path) == ["a", "b", "é"])
    }

    @Test func `A folder that is not there has no names`() {
        #expect(throws: PosixError(call: "opendir", errno: ENOENT)) { try FolderNames.of("/nonexistent") }
    }
}
