// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Lines about what happens, on standard error or in the journal; never secrets or PINs.
///
/// Accounts, services and labels belong at `debug` only, and names that others chose go through `Printable.text`. A
/// line is written by one system call, so lines of several threads do not mix. Writing blocks as the descriptor does.
package struct Log: Sendable {
    /// How much a line matters; the number is that of syslog(3).
    package enum Level: Int, Comparable, Sendable, CaseIterable {
        /// Someone must act.
        case error = 3
        /// Works, but not as it should.
        case warning = 4
        /// Start, stop, lock, unlock.
        case notice = 5
        /// One line a request.
        case info = 6
        /// Everything else.
        case debug = 7

        /// The word in `KEYFOB_LOG` and before a line.
        package var name: String { "\(self)" }

        /// The level with that name, or nil.
        package init?(name: String) {
            guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = level
        }

        package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// Where lines go; called on the thread that logs.
    package typealias Sink = @Sendable (Level, String) -> Void

    /// The log of the process: standard error, from the level that `KEYFOB_LOG` names, else `warning`: a library says nothing while all is well.
    package static let shared = Log(
        level: Environment.value("KEYFOB_LOG").flatMap { Level(name: $0) } ?? .warning, sink: standardError())

    /// The most bytes of a line.
    package static let lineLimit = 4096

    /// The last level that is written.
    package let level: Level
    private let sink: Sink

    package init(level: Level, sink: @escaping Sink) {
        self.level = level
        self.sink = sink
    }

    package func error(_ message: @autoclosure () -> String) { write(.error, message) }
    package func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
    package func notice(_ message: @autoclosure () -> String) { write(.notice, message) }
    package func info(_ message: @autoclosure () -> String) { write(.info, message) }
    package func debug(_ message: @autoclosure () -> String) { write(.debug, message) }

    private func write(_ level: Level, _ message: () -> String) {
        guard level <= self.level else { return }
        sink(level, Printable.text(message(), limit: Self.lineLimit))
    }

    // MARK: - Sinks

    /// Standard error: with a `<priority>` for journald if that is where it leads, else with our name and the level.
    package static func standardError(
        journalStream: String? = Environment.value("JOURNAL_STREAM"), descriptor: Int32 = STDERR_FILENO
    ) -> Sink {
        let isJournal = leads(descriptor, to: journalStream)
        return { level, message in
            let line = isJournal ? "<\(level.rawValue)>\(message)\n" : "keyfob: \(level.name): \(message)\n"
            // A log that cannot be written has nobody to tell.
            unsafe Array(line.utf8).withUnsafeBytes { _ = unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        }
    }

    /// Whether the descriptor is the stream that systemd named, `<device>:<inode>` (systemd.exec(5), JOURNAL_STREAM).
    private static func leads(_ descriptor: Int32, to stream: String?) -> Bool {
        var status = stat()
        guard let stream, unsafe fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}
