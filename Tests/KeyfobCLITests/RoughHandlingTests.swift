// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobTestSupport
import KeyfobWords
import Testing

/// The built program where something around it is not as it should be.
struct RoughHandlingTests {
    private func keychain() throws -> ProgramKeychain {
        let keychain = try ProgramKeychain()
        #expect(try keychain.run(["set", "mail"], input: Array("sesame".utf8)).status == 0)
        return keychain
    }

    // MARK: - Descriptors

    @Test func `A value is not written into a file that took the place of a closed output`() throws {
        let keychain = try keychain()
        let closed = try keychain.shell(#"exec "$0" get mail --pin-source "$PIN" >&-"#)
        #expect(closed.status == 74)
        #expect(closed.errorText == "keyfob: error: cannot write to the standard output: write: EBADF (9)\n")
        #expect(try !keychain.contents("owner.lock").contains("sesame"))
    }

    @Test func `A closed input is no empty value`() throws {
        let keychain = try keychain()
        #expect(try keychain.shell(#"exec "$0" set mail --pin-source "$PIN" <&-"#).status == 74)
        #expect(try keychain.run(["get", "mail"]).outputText == "sesame")
    }

    @Test func `Without any of the three descriptors a command does its work`() throws {
        let keychain = try keychain()
        #expect(try keychain.shell(#"exec "$0" rm mail --pin-source "$PIN" <&- >&- 2>&-"#).status == 0)
        #expect(try keychain.run(["get", "mail"]).status == 3)
        #expect(try keychain.contents("owner.lock").allSatisfy { $0.isNumber || $0.isNewline })
    }

    @Test func `A file that may not grow is a full disk`() throws {
        let keychain = try keychain()
        let limited = try keychain.shell(#"ulimit -f 0; printf new | "$0" set mail --pin-source "$PIN" 2>"$FOLDER/e""#)
        #expect(limited.status == 74)
        #expect(try keychain.run(["get", "mail"]).outputText == "sesame")
    }

    // MARK: - The software token

    @Test func `A token file that was cut short at a login is brought back`() throws {
        let keychain = try keychain()
        try keychain.emptyTokenFile()
        let read = try keychain.run(["get", "mail"])
        #expect(read.outputText == "sesame")
        #expect(read.errorText.contains("was cut short; its copy takes its place"))
        #expect(try keychain.run(["get", "mail"]).errorText == "")
    }

    @Test func `An init that ended while its token was written can be done again`() throws {
        let keychain = try ProgramKeychain()
        try keychain.remove("keychain.db")
        try keychain.emptyTokenFile()
        #expect(try keychain.run(["init"]).status == 0)
        #expect(try keychain.run(["set", "mail"], input: [1]).status == 0)
    }

    @Test func `An init after one for a token elsewhere that failed makes a token of its own`() throws {
        let keychain = try ProgramKeychain()
        try keychain.remove("keychain.db")
        #expect(try keychain.run(["init", "--token", "pkcs11:token=no-such"]).status == 8)
        #expect(try keychain.run(["init"]).status == 0)
    }

    @Test func `A software token that was moved away is said to be missing`() throws {
        let keychain = try keychain()
        try keychain.remove("token")
        let read = try keychain.run(["get", "mail"])
        #expect(read.status == 8)
        #expect(read.errorText.hasPrefix("keyfob: error: the token was not found: /"))
    }

    @Test func `A module that cannot start is a message`() throws {
        let keychain = try keychain()
        let config = #"{"token": "pkcs11:token=x?module-path=/usr/lib/softhsm/libsofthsm2.so"}"#
        let line = #"printf %s '\#(config)' >"$KEYFOB_HOME/config.json"; SOFTHSM2_CONF=/nonexistent exec "$0" status"#
        let failed = try keychain.shell(line)
        #expect(failed.errorText == "keyfob: error: the token failed: C_Initialize: CKR_GENERAL_ERROR (0x5)\n")
        #expect(failed.status == 8)
    }

    // MARK: - Folders

    @Test(arguments: ["a=b", "a#b", "a\nb"])
    func `A folder that SoftHSM would read as another one is refused`(_ name: String) throws {
        let keychain = try ProgramKeychain(initialized: false)
        let folder = keychain.pinFile + "-" + name
        let made = try keychain.run(["init", "--home", folder])
        #expect(made.status == 78)
        #expect(made.errorText.contains("SoftHSM takes none with ="))
        // What was made before the refusal goes with the test.
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test func `A folder that is not UTF-8 is not taken for another one`() throws {
        let keychain = try ProgramKeychain(initialized: false)
        let made = try keychain.shell(
            #"KEYFOB_HOME="$FOLDER/$(printf '\377')"; export KEYFOB_HOME; exec "$0" init --pin-source "$PIN""#)
        #expect(made.status == 78)
        #expect(made.errorText.hasPrefix("keyfob: error: the configuration is wrong: KEYFOB_HOME\n"))
    }

    @Test func `A folder with too long a path is refused before anything is made`() throws {
        let keychain = try ProgramKeychain(initialized: false)
        let name = String(repeating: "d", count: 200)
        let made = try keychain.run(["init", "--home", "\(keychain.pinFile)-d/\(name)/\(name)/\(name)"])
        #expect(made.status == 78)
        #expect(!FileManager.default.fileExists(atPath: keychain.pinFile + "-d"))
    }

    // MARK: - Configuration

    @Test func `A keychain without its configuration is not taken for none`() throws {
        let keychain = try keychain()
        try keychain.remove("config.json")
        let read = try keychain.run(["get", "mail"])
        #expect(read.status == 78)
        #expect(read.errorText.contains("config.json: open: ENOENT"))
    }

    @Test func `A configuration that is a pipe is refused and not waited for`() throws {
        let keychain = try keychain()
        try keychain.remove("config.json")
        let read = try keychain.shell(#"mkfifo "$KEYFOB_HOME/config.json"; exec "$0" status"#)
        #expect(read.status == 78)
        #expect(read.errorText.contains("config.json: the file: is no plain file"))
    }

    @Test func `The place of a fault in the configuration is told in words`() throws {
        let keychain = try keychain()
        let read = try keychain.shell(#"printf '{"token"' >"$KEYFOB_HOME/config.json"; exec "$0" status"#)
        #expect(read.errorText.contains("config.json: the file: is not what it should be: malformed JSON at byte 8\n"))
    }
}
