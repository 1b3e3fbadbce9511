// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import Testing

struct PINResolverTests {
    private let folder: TemporaryFolder
    private let terminal: PseudoTerminal
    private let prompt = PINPrompt(description: "PIN of token work")

    init() throws {
        folder = try TemporaryFolder()
        terminal = try PseudoTerminal()
    }

    /// A resolver without terminal and environment, but for what is given.
    private func resolver(
        explicit: PINSource? = nil, configured: PINSource? = nil, pinentry: String? = nil, hasTerminal: Bool = false,
        _ environment: [String: String] = [:]
    ) -> PINResolver {
        PINResolver(
            explicit: explicit, configured: configured, pinentryProgram: pinentry,
            terminal: TerminalPrompt(path: hasTerminal ? terminal.path : folder("no-tty")),
            environment: { environment[$0] })
    }

    private func withCredential() throws -> [String: String] {
        _ = try folder.file("token-pin", "credential\n")
        return ["CREDENTIALS_DIRECTORY": folder.path]
    }

    @Test func `The named source comes before everything`() throws {
        let file = PINSource.file(path: "/a")
        let environment = try withCredential()
        let source = try resolver(
            explicit: file, configured: .terminal, pinentry: "p", hasTerminal: true, environment
        ).source()
        #expect(source == file)
    }

    @Test func `The configured source comes before a credential`() throws {
        let environment = try withCredential()
        #expect(try resolver(configured: .terminal, hasTerminal: true, environment).source() == .terminal)
    }

    @Test func `The credential of the user's PIN is no source of another one`() throws {
        let environment = try withCredential()
        let other = PINResolver(
            credential: nil, terminal: TerminalPrompt(path: terminal.path), environment: { environment[$0] })
        #expect(try other.source() == .terminal)
    }

    @Test func `A credential comes before pinentry and terminal`() throws {
        let environment = try withCredential()
        let resolver = resolver(pinentry: "p", hasTerminal: true, environment)
        #expect(try resolver.source() == .credential(name: "token-pin"))
        #expect(try resolver.read(prompt).exposed == "credential")
    }

    @Test(arguments: ["DISPLAY", "WAYLAND_DISPLAY"])
    func `A configured pinentry comes next where there is a display`(variable: String) throws {
        #expect(try resolver(pinentry: "p", [variable: ":0"]).source() == .pinentry(program: "p"))
    }

    @Test func `A configured pinentry comes before the terminal`() throws {
        #expect(try resolver(pinentry: "p", hasTerminal: true).source() == .pinentry(program: "p"))
    }

    @Test func `Without a configured pinentry the terminal is asked`() throws {
        let environment = ["DISPLAY": ":0"]
        #expect(try resolver(hasTerminal: true, environment).source() == .terminal)
    }

    @Test func `Without any source no PIN is given`() {
        let error = failure { () throws(KeychainError) in try resolver(pinentry: "p").read(prompt) }
        #expect(error?.code == .pinNotGiven)
    }

    @Test func `A named source without a PIN leads to no other`() throws {
        let environment = try withCredential()
        let resolver = resolver(explicit: .file(path: folder("none")), hasTerminal: true, environment)
        #expect(failure { () throws(KeychainError) in try resolver.read(prompt) }?.code == .pinNotGiven)
    }

    @Test(arguments: ["", "\n"])
    func `An empty file is a PIN that is not given`(text: String) throws {
        let resolver = resolver(explicit: .file(path: try folder.file("pin", text)))
        #expect(failure { () throws(KeychainError) in try resolver.read(prompt) }?.code == .pinNotGiven)
    }

    @Test func `An empty entry of a person cancels`() throws {
        let fake = try FakePinentry("echo OK")
        let resolver = resolver(explicit: .pinentry(program: fake.path))
        #expect(failure { () throws(KeychainError) in try resolver.read(prompt) }?.code == .canceled)
    }

    @Test func `A file and a pinentry give their PINs`() throws {
        let path = try folder.file("pin", "from file\n")
        #expect(try resolver(explicit: .file(path: path)).read(prompt).exposed == "from file")
        let fake = try FakePinentry("echo 'D from pinentry'; echo OK")
        #expect(try resolver(explicit: .pinentry(program: fake.path)).read(prompt).exposed == "from pinentry")
    }

    @Test func `The terminal gives its PIN`() throws {
        let resolver = resolver(hasTerminal: true)
        let prompt = prompt
        let asking = Background { Entry { () throws(KeychainError) in try resolver.read(prompt).exposed } }
        #expect(terminal.waitFor("PIN: "))
        try terminal.type("4711\n")
        #expect(asking.join() == .success("4711"))
    }

    @Test(arguments: [(true, KeychainError.Code.pinLength), (false, .invalidParameter)])
    func `An entry that is too long is told as what was asked for`(
        asksForPIN: Bool, code: KeychainError.Code
    ) throws {
        let fake = try FakePinentry("for i in 1 2 3; do printf 'D %0500d\\n' 1; done; echo OK")
        let resolver = resolver(explicit: .pinentry(program: fake.path))
        let prompt = PINPrompt(description: "An item", label: "Password", asksForPIN: asksForPIN)
        let error = failure { () throws(KeychainError) in try resolver.read(prompt) }
        #expect(error?.code == code)
        #expect(asksForPIN || error?.subject == .parameter("password"))
    }
}
