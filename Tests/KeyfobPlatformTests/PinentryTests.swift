// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import Testing

struct PinentryTests {
    private let prompt = PINPrompt(description: "PIN of 100% token", label: "PIN", error: "wrong PIN")

    private func read(_ fake: FakePinentry) throws(KeychainError) -> String {
        try Pinentry(program: fake.path, environment: { _ in nil }).read(prompt).exposed
    }

    private func error(_ getPIN: String, greeting: String = "echo OK") throws -> KeychainError? {
        let fake = try FakePinentry(getPIN, greeting: greeting)
        return failure { () throws(KeychainError) in try read(fake) }
    }

    @Test(arguments: [
        ("D 4711", "4711"), ("D a%25b", "a%b"), ("D %0A%0D", "\n\r"), ("D z%C3%bc", "zü"), ("D a b ", "a b "),
        ("D ", ""),
        ("S PASSWORD_FROM_CACHE\\nD 1", "1"), ("# a comment\\nD 1", "1"), ("D 47\\nD 11", "4711"),
    ])
    func `The data of the answer is the entry, decoded`(reply: String, entry: String) throws {
        #expect(try read(FakePinentry("printf '%b\\n' '\(reply)'; echo OK")) == entry)
    }

    @Test func `An answer without data is an empty entry`() throws {
        #expect(try read(FakePinentry("echo OK")) == "")
    }

    @Test func `The program is told what to show, encoded, and then asked`() throws {
        let fake = try FakePinentry("echo 'D 1'; echo OK")
        _ = try read(fake)
        #expect(
            fake.told == [
                "OPTION ttyname=/dev/tty", "SETTITLE Keyfob", "SETDESC PIN of 100%25 token", "SETPROMPT PIN:",
                "SETERROR wrong PIN", "GETPIN",
            ])
    }

    @Test func `The program is told which terminal to use and how`() throws {
        let fake = try FakePinentry("echo 'D 1'; echo OK")
        let environment = ["GPG_TTY": "/dev/pts/7", "TERM": "xterm", "LANG": "C.UTF-8", "LC_ALL": "de_DE.UTF-8"]
        _ = try Pinentry(program: fake.path, environment: { environment[$0] }).read(prompt)
        #expect(
            fake.told.prefix(3) == [
                "OPTION ttyname=/dev/pts/7", "OPTION ttytype=xterm", "OPTION lc-ctype=de_DE.UTF-8",
            ])
    }

    @Test(arguments: ["83886179 Operation cancelled", "83886278 fully", "83886194 Not confirmed", "99 Canceled"])
    func `A person who will not cancels`(code: String) throws {
        #expect(try error("echo 'ERR \(code)'") == KeychainError(.canceled, .prompt))
    }

    @Test func `A program that gave up waiting is a timeout`() throws {
        #expect(try error("echo 'ERR 83886142 Timeout'")?.code == .timedOut)
    }

    @Test func `Another error is a PIN that is not given, with the number`() throws {
        let error = try error("echo 'ERR 83918950 Inappropriate ioctl for device'")
        #expect(error?.code == .pinNotGiven)
        guard case .format(_, let fault) = error?.cause else {
            Issue.record("no cause")
            return
        }
        #expect(fault == "error 83918950")
    }

    @Test(arguments: ["exit 0", "printf 'D 47'; exit 0", "kill -9 $$"])
    func `A program that ends in the middle gives no PIN`(getPIN: String) throws {
        #expect(try error(getPIN)?.code == .pinNotGiven)
    }

    @Test func `A program that ends before it is asked gives no PIN`() throws {
        #expect(try error("echo OK", greeting: "exit 1")?.code == .pinNotGiven)
    }

    @Test(arguments: ["hello", "INQUIRE QUALITY", "ERR", "ERR twelve", "OKAY"])
    func `A reply that is none gives no PIN`(reply: String) throws {
        #expect(try error("echo '\(reply)'")?.code == .pinNotGiven)
    }

    @Test(arguments: ["D 4%", "D 4%2", "D %zz"])
    func `Data that is badly encoded is refused`(reply: String) throws {
        #expect(try error("printf '%s\\n' '\(reply)'; echo OK") != nil)
    }

    @Test func `A line without an end is refused`() throws {
        #expect(try error("head -c 20000 /dev/zero | tr '\\\\0' x")?.code == .pinNotGiven)
    }

    @Test func `An entry above the limit is refused`() throws {
        #expect(try error("for i in 1 2 3; do printf 'D %0500d\\n' 1; done; echo OK")?.code == .pinLength)
    }

    @Test func `A program that is not there is named`() {
        let error = failure { () throws(KeychainError) in try Pinentry(program: "/no/such/pinentry").read(prompt) }
        #expect(error?.code == .pinNotGiven)
        #expect(error?.subject == .path("/no/such/pinentry"))
        #expect(error?.cause == .posix(call: "posix_spawn", errno: ENOENT))
    }

    @Test func `An error holds nothing of the entry`() throws {
        let error = try error("echo 'D canary4711'; echo 'ERR 83918950 canary4711'")
        #expect(error != nil)
        #expect(!String(describing: error).contains("canary4711"))
    }
}
