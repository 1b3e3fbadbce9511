// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import KeyfobPlatform
import Testing

struct PINSourceTests {
    @Test(arguments: [
        ("file:/run/pin", PINSource.file(path: "/run/pin")), ("file:///run/pin", .file(path: "/run/pin")),
        ("/run/pin", .file(path: "/run/pin")), ("/run/a b", .file(path: "/run/a b")),
        ("credential:token-pin", .credential(name: "token-pin")), ("pinentry:", .pinentry(program: "pinentry")),
        ("pinentry:/usr/bin/pinentry-tty", .pinentry(program: "/usr/bin/pinentry-tty")), ("terminal:", .terminal),
        ("-", .standardInput),
    ])
    func `A text names its source`(text: String, source: PINSource) throws {
        #expect(try PINSource(text) == source)
        #expect(try PINSource(source.text) == source)
    }

    @Test(arguments: [
        "|cat /run/pin", "|", "", "file:", "file://host/pin", "credential:", "pin.txt", "file:pin", "12345678",
    ])
    func `Anything else is refused without being repeated`(text: String) {
        let error = failure { () throws(KeychainError) in
            _ = try PINSource(text)
            return 0
        }
        #expect(error?.code == .configurationInvalid)
        #expect(error?.subject == .parameter("pin-source"))
        #expect(text.isEmpty || !"\(String(describing: error?.cause))".contains(text))
    }

    @Test func `A relative path counts from the folder that is given`() throws {
        #expect(try PINSource("pin.txt", relativeTo: "/home/a") == .file(path: "/home/a/pin.txt"))
        #expect(try PINSource("/pin", relativeTo: "/home/a") == .file(path: "/pin"))
    }

    @Test func `A command is refused with a folder too`() {
        let error = failure { () throws(KeychainError) in
            _ = try PINSource("|id", relativeTo: "/home/a")
            return 0
        }
        #expect(error?.code == .configurationInvalid)
    }

    @Test func `Only people can be asked again`() {
        #expect(PINSource.terminal.isInteractive)
        #expect(PINSource.pinentry(program: "p").isInteractive)
        #expect(!PINSource.file(path: "/p").isInteractive)
        #expect(!PINSource.credential(name: "p").isInteractive)
        #expect(!PINSource.standardInput.isInteractive)
    }
}
