// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCLI
internal import KeyfobModel
import KeyfobWords
internal import Synchronization
internal import Testing

struct GetTests {
    private let fake = FakeAccess()

    @Test func `Get writes the exact bytes and nothing else to a pipe`() {
        let bytes = (0...255).map { UInt8($0) }
        fake.store("mail", value: bytes)
        let run = Transcript(["get", "mail"], on: fake)
        #expect(run.output == bytes)
        #expect(run.error == "")
        #expect(run.status == .success)
    }

    @Test func `Getting an empty value writes nothing and succeeds`() {
        fake.store("mail", value: [])
        let run = Transcript(["get", "mail"], on: fake)
        #expect(run.output == [])
        #expect(run.status == .success)
    }

    @Test func `Getting an item that is not there says so with status 3`() {
        let run = Transcript(["get", "mail"], on: fake)
        #expect(
            run.lines == [
                "keyfob: error: there is no item \"mail\"",
                "keyfob: hint: keyfob list shows the items there are",
            ])
        #expect(run.status == .notFound)
        #expect(run.output == [])
    }

    @Test func `Getting a name of several accounts lists them and prints no value`() {
        fake.store("mail", account: "bob", value: [1])
        fake.store("mail", account: "ada", value: [2])
        let run = Transcript(["get", "mail"], on: fake)
        #expect(
            run.lines == [
                "keyfob: error: 2 accounts have an item \"mail\": \"ada\", \"bob\"",
                "keyfob: hint: name one with --account",
            ])
        #expect(run.status == .ambiguous)
        #expect(run.output == [])
    }

    @Test func `An account chooses among several`() {
        fake.store("mail", account: "bob", value: [1])
        fake.store("mail", account: "ada", value: [2])
        #expect(Transcript(["get", "mail", "-a", "ada"], on: fake).output == [2])
    }

    @Test func `An empty account is an account`() {
        fake.store("mail", account: "bob", value: [1])
        fake.store("mail", account: "", value: [2])
        #expect(Transcript(["get", "mail", "--account="], on: fake).output == [2])
    }

    @Test func `Getting a name of several groups asks for the group`() {
        fake.store("mail", value: [1], group: "ada")
        fake.store("mail", value: [2], group: "shop")
        let run = Transcript(["get", "mail"], on: fake)
        #expect(run.lines.last == "keyfob: hint: name one with --group")
        #expect(Transcript(["get", "mail", "--group", "shop"], on: fake).output == [2])
    }

    @Test func `A value that stays on the host is told from its synchronizable twin`() {
        fake.store("mail", value: [1])
        fake.store("mail", value: [2], synchronizable: true)
        #expect(Transcript(["get", "mail"], on: fake).status == .ambiguous)
        #expect(Transcript(["get", "mail", "--synchronizable", "yes"], on: fake).output == [2])
    }

    @Test func `An item that is always accessible is read without a PIN`() {
        fake.store("mail", value: [7], accessibility: .always)
        #expect(Transcript(["get", "mail"], on: fake).output == [7])
        #expect(fake.pinRequests.isEmpty)
    }

    @Test func `A locked item is read after one login`() {
        fake.store("mail", value: [7])
        #expect(Transcript(["get", "mail"], on: fake).output == [7])
        #expect(fake.keychain.state.withLock { $0.logins } == 1)
    }

    @Test func `A wrong PIN is tried once and reported with what the token said`() {
        fake.store("mail", value: [7])
        fake.typedPIN = "000000"
        let run = Transcript(["get", "mail"], on: fake)
        #expect(
            run.lines == [
                "keyfob: error: the token refused the PIN: token \"work\" (Vault 2, serial 8F3A): "
                    + "C_Login: CKR_PIN_INCORRECT (0xA0)",
                "keyfob: hint: try again with the right PIN; few tries are left before the token locks",
            ])
        #expect(run.status == .pinRefused)
        #expect(fake.keychain.state.withLock { $0.logins } == 1)
    }

    @Test func `JSON carries text as a string and the attributes beside it`() {
        fake.store("mail", account: "ada", value: Array("a\"b\n".utf8))
        let run = Transcript(["get", "mail", "--json"], on: fake)
        #expect(
            run.text == """
                {"class": "generic", "name": "mail", "account": "ada", "accessible": "when-unlocked", \
                "accessGroup": "ada", "synchronizable": false, "created": "2001-01-01T00:00:00Z", \
                "modified": "2001-01-02T00:00:00Z", "uuid": "00000000-0000-0000-0000-000000000001", \
                "value": "a\\"b\\n"}

                """)
    }

    @Test func `JSON carries bytes that are no text as base64`() {
        fake.store("mail", value: [0xFF, 0x00])
        #expect(Transcript(["get", "mail", "--json"], on: fake).text.hasSuffix("\"value\": {\"base64\": \"/wA=\"}}\n"))
    }

    @Test func `Get closes the keychain`() {
        fake.store("mail")
        _ = Transcript(["get", "mail"], on: fake)
        #expect(fake.keychain.state.withLock { $0.closes } == 1)
    }

    @Test func `The final try is only asked for with its option`() {
        fake.store("mail")
        _ = Transcript(["get", "mail"], on: fake)
        #expect(fake.keychain.state.withLock { $0.finalTries } == 0)
        fake.keychain.state.withLock { $0.isUnlocked = false }
        _ = Transcript(["get", "mail", "--final-try"], on: fake)
        #expect(fake.keychain.state.withLock { $0.finalTries } == 1)
    }

    @Test func `An item that is refused while unlocked costs no second login`() {
        fake.store("mail")
        fake.keychain.state.withLock {
            $0.isUnlocked = true
            $0.nextError = KeychainError(.interactionNotAllowed, .copyMatching, remedy: .unlock)
        }
        let run = Transcript(["get", "mail"], on: fake)
        #expect(run.status == .locked)
        #expect(fake.pinRequests.isEmpty)
    }

    @Test func `An item whose value does not open is damaged and not missing`() {
        fake.store("mail", accessibility: .always)
        fake.keychain.state.withLock { $0.hidesValues = true }
        let run = Transcript(["get", "mail"], on: fake)
        #expect(
            run.lines == [
                "keyfob: error: the value does not open: item \"mail\"",
                "keyfob: hint: keyfob verify says what is wrong with it",
            ])
        #expect(run.status == .damaged)
    }
}
