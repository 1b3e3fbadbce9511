// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobPlatform
import KeyfobTestSupport

/// A pinentry program of a test: a shell script that writes down what it is told and answers GETPIN as it is made to.
struct FakePinentry {
    /// The path of the program.
    let path: String
    private let folder: TemporaryFolder

    /// - Parameters:
    ///   - getPIN: shell commands that print the answer to GETPIN.
    ///   - greeting: shell commands that run first.
    init(_ getPIN: String, greeting: String = "echo 'OK Pleased to meet you'") throws {
        folder = try TemporaryFolder()
        path = folder("pinentry")
        let script = """
            #!/bin/sh
            \(greeting)
            while read -r line; do
                printf '%s\\n' "$line" >> '\(folder("told"))'
                case "$line" in
                OPTION*) echo 'ERR 83886254 Unknown option' ;;
                GETPIN) \(getPIN) ;;
                *) echo OK ;;
                esac
            done
            """
        // A shell writes it: a program that this process has open for writing, if only in a child that another test is
        // just starting, cannot be run (ETXTBSY).
        _ = try SpawnedProgram(path: "/bin/sh").run([
            "-c", "printf '%s' \"$1\" > \"$2\" && chmod 700 \"$2\"", "sh", script, path,
        ])
    }

    /// The lines that it was told.
    var told: [Substring] { contents(folder("told"))?.split(separator: "\n") ?? [] }
}
