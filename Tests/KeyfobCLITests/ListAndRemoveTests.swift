// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCLI
internal import KeyfobMemory
internal import KeyfobModel
import KeyfobWords
internal import Synchronization
internal import Testing

struct ListAndRemoveTests {
    private let fake = FakeAccess()

    private var count: Int { fake.keychain.state.withLock { $0.items.count } }

    @Test func `List prints aligned columns without values`() {
        fake.store("mail", account: "ada", value: Array("secret".utf8))
        fake.store("张三", account: "b", accessibility: .always)
        let run = Transcript(["list"], on: fake)
        #expect(
            run.text == """
                NAME  ACCOUNT  CLASS    ACCESSIBLE     GROUP  MODIFIED
                mail  ada      generic  when-unlocked  ada    2001-01-02T00:00:00Z
                张三  b        generic  always         ada    2001-01-02T00:00:00Z

                """)
    }

    @Test func `Nothing in a name moves the cursor`() {
        fake.store("a\u{1B}[2Jb\nc", accessibility: .always)
        let run = Transcript(["list"], on: fake)
        #expect(run.text.contains("a\\u{1b}[2Jb\\u{a}c"))
        #expect(!run.text.contains("\u{1B}"))
    }

    @Test func `An empty list prints nothing and succeeds`() {
        let run = Transcript(["list"], on: fake)
        #expect(run == Transcript(["list", "mail"], on: fake))
        #expect(run.output == [])
        #expect(run.status == .success)
    }

    @Test func `An empty list in JSON is an empty array`() {
        #expect(Transcript(["list", "--json"], on: fake).text == "[]\n")
    }

    @Test func `List with a name shows that name only`() {
        fake.store("mail", accessibility: .always)
        fake.store("web", accessibility: .always)
        let run = Transcript(["list", "web", "--json"], on: fake)
        #expect(run.text.contains("\"web\""))
        #expect(!run.text.contains("\"mail\""))
    }

    @Test func `List shows both classes and one with its option`() {
        fake.store("mail", accessibility: .always)
        fake.store(
            [.server: .text("example.org"), .account: .text(""), .port: .number(443)], .internetPassword,
            accessibility: .always)
        #expect(Transcript(["list"], on: fake).text.split(separator: "\n").count == 3)
        #expect(Transcript(["list", "--class", "internet"], on: fake).text.split(separator: "\n").count == 2)
        #expect(Transcript(["list", "--port", "443"], on: fake).text.contains("example.org"))
    }

    private func names(_ arguments: String...) -> [String] {
        Transcript(["list"] + arguments, on: fake).text.split(separator: "\n").dropFirst()
            .compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    @Test func `List with a part shows the items that contain it in any attribute`() {
        fake.store("mail", account: "ada", accessibility: .always)
        fake.store("web", account: "ada@mail.test", accessibility: .always)
        fake.store("Mailer", accessibility: .always)
        #expect(names("--contains", "mail") == ["mail", "web"])
        #expect(names("--contains", "mail", "--ignore-case") == ["Mailer", "mail", "web"])
        #expect(names("mail", "--contains", "ada") == ["mail"])
        #expect(names("--contains", "nowhere") == [])
    }

    @Test func `List ignores case in name and account only if told to`() {
        fake.store("Mail", account: "Ada", accessibility: .always)
        fake.store("mailer", account: "ada", accessibility: .always)
        #expect(names("mail") == [])
        #expect(names("mail", "--ignore-case") == ["Mail"])
        #expect(names("MAIL", "-a", "ADA", "--ignore-case") == ["Mail"])
        #expect(names("--account", "ada") == ["mailer"])
        #expect(names("--account", "ada", "--ignore-case") == ["Mail", "mailer"])
    }

    @Test func `List ignores case in the path of an internet password and keeps its port exact`() {
        for (path, port) in [("/Cgi", Int64(443)), ("/cgi", 80)] {
            fake.store(
                [.server: .text("example.org"), .account: .text(""), .path: .text(path), .port: .number(port)],
                .internetPassword, accessibility: .always)
        }
        #expect(names("--path", "/CGI", "--ignore-case").count == 2)
        #expect(names("--path", "/CGI", "--port", "80", "--ignore-case").count == 1)
    }

    @Test(arguments: ["get", "rm"])
    func `Only list looks for parts and ignores case`(verb: String) {
        fake.store("mail", accessibility: .always)
        for option in [["--contains", "ai"], ["--ignore-case"]] {
            #expect(Transcript([verb, "mail"] + option, on: fake).status == .usage)
        }
        #expect(count == 1)
    }

    @Test func `A name that is not UTF-8 is base64 in JSON`() {
        fake.store(
            [.service: .data(WipedBytes([0xC3, 0x28])), .account: .text("")], .genericPassword, accessibility: .always)
        #expect(Transcript(["list", "--json"], on: fake).text.contains("\"name\": {\"base64\": \"wyg=\"}"))
    }

    @Test func `Remove removes the one item`() {
        fake.store("mail", account: "ada")
        fake.store("web", account: "ada")
        #expect(Transcript(["rm", "mail"], on: fake).status == .success)
        #expect(count == 1)
    }

    @Test func `Remove refuses to guess among accounts`() {
        fake.store("mail", account: "ada")
        fake.store("mail", account: "bob")
        let run = Transcript(["rm", "mail"], on: fake)
        #expect(run.status == .ambiguous)
        #expect(count == 2)
    }

    @Test func `Remove all removes every account of the name and asks for no PIN`() {
        fake.store("mail", account: "ada")
        fake.store("mail", account: "bob")
        fake.store("web")
        #expect(Transcript(["rm", "mail", "--all", "--json"], on: fake).text == "{\"removed\": \"all\"}\n")
        #expect(count == 1)
        #expect(fake.pinRequests.isEmpty)
    }

    @Test(arguments: [["rm", "mail"], ["rm", "mail", "--all"]])
    func `Removing what is not there is status 3`(arguments: [String]) {
        let run = Transcript(arguments, on: fake)
        #expect(run.status == .notFound)
        #expect(run.lines.first == "keyfob: error: there is no item \"mail\"")
    }
}
