// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// A token that `tokens/lend` keeps for this process: everything of it is gone when the process has ended, however it
/// ends.
package enum LentToken {
    /// The folder of `tokens/`.
    package static let scripts = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/tokens"

    private static let lender = Mutex<LiveProgram?>(nil)

    /// Has a token made, unless whoever started this process did so, and sets what its module reads in the environment.
    ///
    /// To be called before the module is loaded, once.
    ///
    /// - Returns: the folder of the token.
    static func take(_ kind: TokenKind) -> String {
        if let folder = unsafe getenv("KEYFOB_TEST_TOKEN_FOLDER") { return unsafe String(cString: folder) }
        let folder = lender.withLock { program in
            do throws(SpawnedProgram.Failure) {
                // A session of its own: ^C at a terminal would end it before it has cleaned up.
                let made = try LiveProgram(
                    path: scripts + "/lend", [kind.rawValue], launcher: ["/usr/bin/setsid"])
                let folder = setEnvironment(made, kind)
                program = made
                return folder
            } catch {
                fatalError("tokens/lend does not start: \(error)")
            }
        }
        atexit { LentToken.giveBack() }
        return folder
    }

    /// Does what the lender prints; the folder it names at the end.
    private static func setEnvironment(_ program: LiveProgram, _ kind: TokenKind) -> String {
        while let line = program.line() {
            if line.hasPrefix("# ") { return String(line.dropFirst(2)) }
            guard let match = line.wholeMatch(of: /export (\w+)=['"](.*)['"]/) else { continue }
            guard match.1 != "KEYFOB_TOKEN_EXEC" else {
                program.endInput()
                program.wait()
                fatalError("tests on \(kind) run in a place of its own: scripts/test --tokens \(kind)")
            }
            unsafe setenv(String(match.1), String(match.2), 1)
        }
        fatalError("tokens/lend \(kind): \(program.errorText)")
    }

    private static func giveBack() {
        lender.withLock { program in
            program?.endInput()
            program?.wait()
            program = nil
        }
    }
}
