// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCLI
internal import KeyfobMemory
internal import KeyfobModel
import KeyfobWords
internal import Synchronization
internal import Testing

struct SetTests {
    private let fake = FakeAccess()

    private var items: [FakeKeychain.Item] { fake.keychain.state.withLock { $0.items } }

    @Test func `Set stores every byte of the input under the name`() {
        fake.typedValue = [0, 10, 255, 10]
        let run = Transcript(["set", "mail"], on: fake)
        #expect(run.status == .success)
        #expect(run.output == [])
        #expect(run.error == "")
        #expect(items.map(\.value) == [[0, 10, 255, 10]])
        #expect(items.first?.attributes == [.service: .text("mail"), .account: .text(""), .label: .text("mail")])
    }

    @Test func `Set gives an existing item the new value and leaves its label alone`() {
        fake.typedValue = [1]
        _ = Transcript(["set", "mail", "--label", "Post"], on: fake)
        fake.typedValue = [2]
        #expect(Transcript(["set", "mail", "--json"], on: fake).text.hasPrefix("{\"action\": \"replaced\""))
        #expect(items.map(\.value) == [[2]])
        #expect(items.first?.attributes[.label] == .text("Post"))
    }

    @Test func `Another account is another item`() {
        _ = Transcript(["set", "mail", "-a", "ada"], on: fake)
        #expect(Transcript(["set", "mail", "-abob", "--json"], on: fake).text.hasPrefix("{\"action\": \"added\""))
        #expect(items.count == 2)
    }

    @Test func `Set changes the twin in one group only`() {
        fake.store("mail", value: [1], group: "shop")
        fake.store("mail", value: [2], group: "ada")
        fake.typedValue = [3]
        #expect(Transcript(["set", "mail", "--group", "shop"], on: fake).status == .success)
        #expect(items.map(\.value) == [[3], [2]])
    }

    @Test func `Set refuses to guess among groups`() {
        fake.store("mail", value: [1], group: "shop")
        fake.store("mail", value: [2], group: "ada")
        fake.typedValue = [3]
        #expect(Transcript(["set", "mail"], on: fake).status == .ambiguous)
        #expect(items.map(\.value) == [[1], [2]])
    }

    @Test func `A value as an argument is refused and not repeated`() {
        let run = Transcript(["set", "mail", "hunter2"], on: fake)
        #expect(run.status == .usage)
        #expect(run.error.contains("never from an argument"))
        #expect(!run.error.contains("hunter2"))
        #expect(items.isEmpty)
    }

    @Test func `The input cannot be both the PIN and the value`() {
        #expect(Transcript(["set", "mail", "--pin-source", "-"], on: fake).status == .usage)
        #expect(items.isEmpty)
    }

    @Test(arguments: [("a\n", "a"), ("a\n\n", "a\n"), ("a", "a"), ("\n", ""), ("", "")])
    func `Strip newline leaves out one line feed at the end`(typed: String, stored: String) {
        fake.typedValue = Array(typed.utf8)
        _ = Transcript(["set", "mail", "--strip-newline"], on: fake)
        #expect(items.map(\.value) == [Array(stored.utf8)])
    }

    @Test func `An accessibility class is taken by word, by Apple's name and by code`() {
        for (index, word) in ["after-first-unlock", "AfterFirstUnlock", "ck"].enumerated() {
            _ = Transcript(["set", "item\(index)", "--accessible", word], on: fake)
        }
        #expect(items.map(\.accessibility) == [.afterFirstUnlock, .afterFirstUnlock, .afterFirstUnlock])
    }

    @Test func `A mistyped class gets the nearest one`() {
        let run = Transcript(["set", "mail", "--accessible", "after-first-unlok"], on: fake)
        #expect(run.lines.last == "keyfob: hint: did you mean --accessible after-first-unlock?")
        #expect(run.status == .usage)
    }

    @Test func `Set asks for no PIN if the class is always accessible`() {
        _ = Transcript(["set", "mail", "--accessible", "always"], on: fake)
        #expect(fake.pinRequests.isEmpty)
        #expect(items.count == 1)
    }

    @Test func `Set asks for the PIN before the value`() {
        fake.typedPIN = "000000"
        #expect(Transcript(["set", "mail"], on: fake).status == .pinRefused)
        #expect(fake.valueRequests == 0)
    }

    @Test func `An internet password keeps server, protocol, port and path`() {
        _ = Transcript(
            [
                "set", "example.org", "--class", "internet", "-a", "ada", "--protocol", "https", "--port", "8443",
                "--path", "/git",
            ], on: fake)
        #expect(items.first?.itemClass == .internetPassword)
        #expect(
            items.first?.attributes == [
                .server: .text("example.org"), .account: .text("ada"), .label: .text("example.org"),
                .protocol: .number(0x6874_7073), .port: .number(8443), .path: .text("/git"),
            ])
    }

    @Test func `A port without class internet is refused`() {
        let run = Transcript(["set", "mail", "--port", "1"], on: fake)
        #expect(
            run.lines == ["keyfob: error: --port is for internet passwords", "keyfob: hint: give --class internet"])
    }

    @Test func `A failing store is reported with the item and status 74`() {
        fake.keychain.state.withLock {
            $0.nextError = KeychainError(
                .diskFull, .add, cause: .sqlite(statement: "insertItem", code: 13), remedy: .freeDiskSpace)
        }
        let run = Transcript(["set", "mail"], on: fake)
        #expect(run.lines.first == "keyfob: error: the disk is full: item \"mail\": insertItem: SQLITE_FULL (13)")
        #expect(run.status == .inputOutput)
    }

    @Test func `An item of this device only cannot be synchronizable`() {
        #expect(
            Transcript(["set", "mail", "--accessible", "aku", "--synchronizable", "yes"], on: fake).status == .usage)
        #expect(
            Transcript(["set", "mail", "--accessible", "ak", "--synchronizable", "yes"], on: fake).status == .success)
        #expect(items.map(\.isSynchronizable) == [true])
    }
}
