// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobDaemon
import KeyfobEngine
import KeyfobTestSupport
import Testing

/// What the frame does with a keychain, in a process of its own: the policy of locked memory is the process's.
struct DaemonKeychainTests {
    /// Starts the daemon of the tests on the keychain with `ulimit -l` of so many KiB.
    ///
    /// - Parameter setting: what `locked-memory` of its configuration is, if it is to be there.
    private func start(_ keychain: ProgramKeychain, kibibytes: Int, setting: String? = nil) throws -> LiveProgram {
        if let setting {
            let path = keychain.home + "/config.json"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let changed = text.replacing("{\n", with: "{\n  \"locked-memory\": \"\(setting)\",\n")
            try changed.write(toFile: path, atomically: false, encoding: .utf8)
        }
        // Root is not bound by the limit, but for this capability.
        return try LiveProgram(
            path: SpawnedProgram.productsFolder() + "/keyfob-test-daemon",
            [
                "--system", "--allow-root", "--home", keychain.home, "--socket", keychain.folder + "/s", "--pin-source",
                keychain.pinFile,
            ],
            launcher: [
                "/bin/bash", "--norc", "-c",
                "ulimit -l \(kibibytes); [ $EUID -ne 0 ] || set -- setpriv --bounding-set -ipc_lock --inh-caps -all "
                    + "\"$0\" \"$@\"; exec \"$@\"",
            ])
    }

    @Test func `The system's daemon does not start where it cannot lock its memory, and says what to set`() throws {
        let keychain = try ProgramKeychain()
        defer { withExtendedLifetime(keychain) {} }
        let daemon = try start(keychain, kibibytes: 1024)
        #expect(daemon.wait() >> 8 == 1)
        #expect(daemon.errorText.contains("RLIMIT_MEMLOCK"))
        #expect(daemon.errorText.contains("LimitMEMLOCK="))
    }

    @Test func `A configuration that says so lets it start all the same`() throws {
        let keychain = try ProgramKeychain()
        defer { withExtendedLifetime(keychain) {} }
        let daemon = try start(keychain, kibibytes: 1024, setting: "prefer")
        var polls = 6000
        while !daemon.errorText.contains("unlocked"), polls > 0 {
            polls -= 1
            usleep(10_000)
        }
        kill(daemon.pid, SIGTERM)
        #expect(daemon.wait() == 0)
        #expect(polls > 0)
    }
}
