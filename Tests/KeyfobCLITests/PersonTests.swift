// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCLI
internal import KeyfobModel
import KeyfobWords
internal import Synchronization
internal import Testing

/// Items that need a person, on the command line.
struct PersonTests {
    private let fake = FakeAccess()

    private func set(_ requirement: String, name: String = "mail") -> Transcript {
        fake.typedValue = Array("secret".utf8)
        return Transcript(["set", name, "--require", requirement], on: fake)
    }

    private var control: AccessControl? { fake.keychain.state.withLock { $0.items.first?.accessControl } }

    @Test(arguments: [("user-presence", 0x1), ("passcode", 0x10), ("application-password", 0x8000_0000)])
    func `Set gives the item the constraint`(word: String, flag: UInt64) {
        #expect(set(word).status == .success)
        #expect(control == AccessControl(protection: .whenUnlocked, flags: flag, hasRules: true))
    }

    @Test func `Several constraints are joined, and the class is that of the option`() {
        fake.typedValue = [1]
        let run = Transcript(
            ["set", "mail", "--require", "user-presence,application-password", "--accessible", "after-first-unlock"],
            on: fake)
        #expect(run.status == .success)
        #expect(control == AccessControl(protection: .afterFirstUnlock, flags: 0x8000_0001, hasRules: true))
    }

    @Test(arguments: ["user-presense", "", "user-presence,", "user-presence,passcode"])
    func `What is no constraint is told before anything is asked for`(word: String) {
        let run = set(word)
        #expect(run.status == .usage)
        #expect(fake.valueRequests == 0)
        #expect(control == nil)
    }

    @Test func `A new password is asked for before the value, a PIN is not`() {
        _ = set("user-presence")
        #expect(fake.credentialRequests.isEmpty)
        _ = set("application-password", name: "news")
        #expect(fake.credentialRequests.map(\.kind) == [.applicationPassword])
        #expect(fake.credentialRequests.first?.isNew == true)
    }

    @Test func `Get asks for the PIN once and prints the value`() {
        _ = set("user-presence")
        let run = Transcript(["get", "mail", "--pin-source", "/pin"], on: fake)
        #expect(run.text == "secret")
        #expect(fake.credentialRequests.map(\.kind) == [.pin])
        #expect(fake.credentialRequests.first?.explicit == "/pin")
        #expect(fake.credentialRequests.first?.isNew == false)
    }

    @Test func `A wrong PIN is not asked for again`() {
        _ = set("user-presence")
        fake.typedPIN = "123456"
        fake.keychain.state.withLock { $0.itemPIN = "654321" }
        let run = Transcript(["get", "mail"], on: fake)
        #expect(run.status == .pinRefused)
        #expect(run.output.isEmpty)
        #expect(fake.credentialRequests.count == 1)
    }

    @Test func `Get asks for the password and then the PIN where both are needed`() {
        _ = set("passcode,application-password")
        #expect(Transcript(["get", "mail"], on: fake).text == "secret")
        #expect(fake.credentialRequests.map(\.kind) == [.applicationPassword, .applicationPassword, .pin])
    }

    @Test func `An ordinary item asks nobody`() {
        fake.typedValue = Array("secret".utf8)
        _ = Transcript(["set", "mail"], on: fake)
        #expect(Transcript(["get", "mail"], on: fake).text == "secret")
        #expect(fake.credentialRequests.isEmpty)
    }

    @Test func `List leaves such items out, says how many, and asks nobody`() {
        _ = set("user-presence")
        fake.typedValue = [1]
        _ = Transcript(["set", "news"], on: fake)
        let run = Transcript(["list", "--class", "generic"], on: fake)
        #expect(run.text.contains("news"))
        #expect(!run.text.contains("mail"))
        #expect(run.lines == ["keyfob: hint: generic: left out 1 item that needs a person"])
        #expect(fake.credentialRequests.isEmpty)
    }

    @Test func `List of nothing but such items says so`() {
        _ = set("user-presence")
        let run = Transcript(["list", "mail"], on: fake)
        #expect(run.status == .success)
        #expect(run.output.isEmpty)
        #expect(run.error.contains("left out 1 item that needs a person"))
    }

    @Test func `Removing all needs no PIN, and removing one asks which it is`() {
        _ = set("user-presence")
        #expect(Transcript(["rm", "mail", "--all"], on: fake).status == .success)
        #expect(fake.credentialRequests.isEmpty)
        _ = set("user-presence")
        #expect(Transcript(["rm", "mail"], on: fake).status == .success)
        #expect(fake.credentialRequests.map(\.kind) == [.pin])
        #expect(fake.keychain.state.withLock { $0.items.isEmpty })
    }

    @Test func `Replacing the value asks for the PIN once`() {
        _ = set("user-presence")
        fake.typedValue = Array("other".utf8)
        #expect(Transcript(["set", "mail"], on: fake).status == .success)
        #expect(fake.credentialRequests.map(\.kind) == [.pin])
        #expect(fake.keychain.state.withLock { $0.items.map(\.value) } == [Array("other".utf8)])
    }

    @Test func `With nobody to ask, an item that needs a person says what it needs and how to give it`() {
        _ = set("user-presence")
        fake.isAlone = true
        let run = Transcript(["get", "mail"], on: fake)
        #expect(run.status == .locked)
        #expect(
            run.lines == [
                "keyfob: error: the item needs the PIN of the token at each use: item \"mail\"",
                "keyfob: hint: run it on a terminal, or name a file with the PIN: --pin-source FILE",
            ])
    }

    @Test(arguments: [["get", "mail"], ["set", "news", "--require", "application-password"]])
    func `With nobody to ask, an item with a password of its own does not send for a PIN`(arguments: [String]) {
        _ = set("application-password")
        fake.isAlone = true
        let run = Transcript(arguments, on: fake)
        #expect(run.status == .locked)
        #expect(
            run.lines == [
                "keyfob: error: the item needs a password of its own: item \"\(arguments[1])\"",
                "keyfob: hint: run it on a terminal, or name a pinentry program in config.json",
            ])
    }
}
