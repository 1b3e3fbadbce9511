// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobCLI
import KeyfobWords

/// One run of the tool in this process, on a fake keychain: what went to each descriptor, and the exit status.
struct Transcript: Equatable {
    var output: [UInt8] = []
    var error = ""
    var status = ExitStatus.success

    var text: String { String(decoding: output, as: UTF8.self) }

    /// Runs the arguments on a keychain.
    init(_ arguments: [String], on fake: FakeAccess) {
        let stdout = Self.temporaryFile()
        let stderr = Self.temporaryFile()
        let stdin = unsafe open("/dev/null", O_RDONLY)
        defer { for descriptor in [stdin, stdout, stderr] { close(descriptor) } }
        let console = Console(input: stdin, output: stdout, error: stderr, mayColor: true)
        status = CommandLineTool(console: console, access: fake, secrets: fake).run(arguments)
        output = Self.contents(stdout)
        error = String(decoding: Self.contents(stderr), as: UTF8.self)
    }

    /// `keyfob: error: …` without its beginning, for short expectations.
    var lines: [String] { error.split(separator: "\n").map(String.init) }

    private static func temporaryFile() -> Int32 {
        var name = Array("/tmp/keyfob-test-XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&name)
        unsafe unlink(name)
        return descriptor
    }

    private static func contents(_ descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, Int(lseek(descriptor, 0, SEEK_END))))
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }
}
