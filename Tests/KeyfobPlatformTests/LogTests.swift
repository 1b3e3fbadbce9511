// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobPlatform
import Synchronization
import Testing

struct LogTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    private func everything(at level: Log.Level) -> [String] {
        let lines = Lines()
        let log = Log(level: level) { lines.add("\($0.rawValue) \($1)") }
        log.error("e")
        log.warning("w")
        log.notice("n")
        log.info("i")
        log.debug("d")
        return lines.all
    }

    @Test func `Only lines up to the level are written`() {
        #expect(everything(at: .error) == ["3 e"])
        #expect(everything(at: .notice) == ["3 e", "4 w", "5 n"])
        #expect(everything(at: .debug) == ["3 e", "4 w", "5 n", "6 i", "7 d"])
    }

    @Test func `A line that is not written is not even made`() {
        let lines = Lines()
        let log = Log(level: .error) { _, _ in }
        func make() -> String {
            lines.add("made")
            return ""
        }
        log.debug(make())
        #expect(lines.all.isEmpty)
    }

    @Test func `Levels are found by their names`() {
        #expect(Log.Level.allCases.map(\.name) == ["error", "warning", "notice", "info", "debug"])
        #expect(Log.Level(name: "info") == .info)
        #expect(Log.Level(name: "loud") == nil)
    }

    @Test func `A line that names a newline stays one line`() {
        let lines = Lines()
        Log(level: .debug) { lines.add($1) }.error("a\nkeyfob: error: forged\u{1B}[2J")
        #expect(lines.all == ["a\\u{a}keyfob: error: forged\\u{1b}[2J"])
    }

    private func written(stream: (stat) -> String?) throws -> String? {
        let folder = try TemporaryFolder()
        let file = try Descriptor.open(folder("log"), O_WRONLY | O_CREAT, mode: 0o600)
        var status = stat()
        unsafe fstat(file.rawValue, &status)
        let sink = Log.standardError(journalStream: stream(status), descriptor: file.rawValue)
        sink(.warning, "the token is slow")
        return contents(folder("log"))
    }

    @Test func `Without a journal a line names us and the level`() throws {
        #expect(try written { _ in nil } == "keyfob: warning: the token is slow\n")
    }

    @Test func `For the journal a line begins with the priority`() throws {
        #expect(try written { "\($0.st_dev):\($0.st_ino)" } == "<4>the token is slow\n")
    }

    @Test func `Another stream than the journal's gets plain lines`() throws {
        #expect(try written { "\($0.st_dev):\($0.st_ino + 1)" } == "keyfob: warning: the token is slow\n")
    }
}
