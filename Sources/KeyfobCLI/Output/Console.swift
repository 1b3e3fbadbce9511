// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobPlatform
package import KeyfobWords

/// The three descriptors of a command: data goes to output, talk to the error output.
///
/// The only file that writes to either. Nothing is buffered, so a secret never waits in a buffer of ours.
package struct Console: Sendable {
    package let input: Int32
    package let output: Int32
    package let error: Int32
    /// Whether a terminal may be coloured: `NO_COLOR` is empty or absent, and `TERM` is not `dumb`.
    private let mayColor: Bool

    package init(input: Int32, output: Int32, error: Int32, mayColor: Bool) {
        self.input = input
        self.output = output
        self.error = error
        self.mayColor = mayColor
    }

    /// The descriptors and the environment of the process.
    package static func standard() -> Console {
        let noColor = unsafe getenv("NO_COLOR").map { unsafe $0.pointee != 0 } ?? false
        let isDumb = unsafe getenv("TERM").map { unsafe strcmp($0, "dumb") == 0 } ?? true
        return Console(input: 0, output: 1, error: 2, mayColor: !noColor && !isDumb)
    }

    package var inputIsTerminal: Bool { isatty(input) == 1 }
    package var outputIsTerminal: Bool { isatty(output) == 1 }
    package var errorIsTerminal: Bool { isatty(error) == 1 }

    /// Writes text to the output; blocks until all of it is taken.
    ///
    /// - Throws: `Failure` with status `inputOutput`: disk full, closed pipe.
    package func write(_ text: String) throws(Failure) {
        let failed = unsafe text.utf8Span.span.withUnsafeBytes { unsafe Self.writeAll($0, to: output) }
        try check(failed)
    }

    /// Writes bytes to the output, as they are.
    ///
    /// - Throws: As `write(_:)` of text.
    package func write(_ bytes: RawSpan) throws(Failure) {
        let failed = unsafe bytes.withUnsafeBytes { unsafe Self.writeAll($0, to: output) }
        try check(failed)
    }

    /// Says something to the person, on a line of its own.
    ///
    /// If nobody can hear it there is nobody to tell.
    package func talk(_ line: String) {
        _ = unsafe (line + "\n").utf8Span.span.withUnsafeBytes { unsafe Self.writeAll($0, to: error) }
    }

    /// Says why the command failed and what to do next.
    package func report(_ failure: Failure) {
        let colored = mayColor && errorIsTerminal
        talk("keyfob: \(paint("error:", 31, colored)) \(failure.what)")
        if let hint = failure.hint { talk("keyfob: \(paint("hint:", 36, colored)) \(hint)") }
    }

    /// Adds a hint to a command that did not fail.
    package func hint(_ text: String) {
        talk("keyfob: \(paint("hint:", 36, mayColor && errorIsTerminal)) \(text)")
    }

    /// Writes to the error output what is no line of its own, as a line that is written over again (`ProgressLine`).
    func show(_ text: String) {
        _ = unsafe text.utf8Span.span.withUnsafeBytes { unsafe Self.writeAll($0, to: error) }
    }

    private func paint(_ word: String, _ color: Int, _ colored: Bool) -> String {
        colored ? "\u{1B}[1;\(color)m\(word)\u{1B}[0m" : word
    }

    private func check(_ failed: Int32?) throws(Failure) {
        guard let failed else { return }
        throw Failure(
            .inputOutput, "cannot write to the standard output: write: \(CauseName.posix(failed)) (\(failed))",
            hint: failed == ENOSPC ? "free some space and try again" : nil)
    }

    /// The `errno` of the write that failed, or nil.
    private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
        var position = 0
        while position < bytes.count {
            let written = unsafe Glibc.write(
                descriptor, bytes.baseAddress.map { unsafe $0 + position }, bytes.count - position)
            if written < 0 {
                // The other end of a pipe or a terminal may have made it non-blocking.
                if errno == EAGAIN {
                    Descriptor.wait(descriptor, for: POLLOUT)
                } else if errno != EINTR {
                    return errno
                }
            } else {
                position += written
            }
        }
        return nil
    }
}
