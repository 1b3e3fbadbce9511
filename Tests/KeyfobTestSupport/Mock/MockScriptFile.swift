// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc

/// The script of the mock module in a program that a test starts: the program reads it again before the next call.
///
/// The program's token URI names `libCKeyfobMockModule.so` of the products, its environment is `environment`.
package struct MockScriptFile: Sendable {
    package let path: String
    /// Where the calls are written, a C name a line, once `logs` is among the steps.
    package let logPath: String

    /// - Parameter path: of a file that the program may read, in a folder where the program may make a file beside it.
    package init(_ path: String) {
        self.path = path
        logPath = path + ".log"
    }

    /// What the program needs in its environment.
    package var environment: [String: String] { ["KEYFOB_MOCK_SCRIPT": path] }

    /// The step that makes the program write down its calls.
    package var logs: MockStep { .log(logPath) }

    /// Replaces the script: what the last one said no longer holds, and calls that hang go on.
    package func write(_ steps: MockStep...) throws {
        let text = MockStep.script(steps)
        try text.write(toFile: path + ".new", atomically: false, encoding: .utf8)
        guard unsafe chmod(path + ".new", 0o644) == 0, unsafe rename(path + ".new", path) == 0 else {
            throw POSIXError(.EIO)
        }
    }

    /// How often the program called a function since it was told to write its calls down.
    package func calls(of name: String) -> Int {
        guard let text = try? String(contentsOfFile: logPath, encoding: .utf8) else {
            // No call was made yet.
            return 0
        }
        return text.split(separator: "\n").count { $0 == name }
    }
}
