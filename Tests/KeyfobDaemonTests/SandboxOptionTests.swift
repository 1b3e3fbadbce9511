// SPDX-License-Identifier: Apache-2.0
internal import KeyfobDaemon
import KeyfobEngine
internal import KeyfobWords
internal import Testing

struct SandboxOptionTests {
    @Test func `A sandbox names the keychain and the socket in its folder`() throws {
        guard case .serve(let options) = try DaemonOptions.parse(["--sandbox", "/run/x", "--ready-fd=5"]) else {
            Issue.record("serves")
            return
        }
        #expect(options.readyDescriptor == 5)
        let settings = try DaemonSettings(options, currentFolder: nil, environment: { _ in nil })
        #expect(settings.sandbox == "/run/x")
        #expect(settings.home.path == "/run/x/keychain")
        #expect(settings.socket == "/run/x/keyfobd.sock")
    }

    @Test(arguments: [["--system"], ["--home", "/x"], ["--socket", "/x"]])
    func `A sandbox goes with no other keychain or socket`(others: [String]) {
        #expect(throws: Failure.self) { try DaemonOptions.parse(["--sandbox", "/run/x"] + others) }
    }

    @Test(arguments: ["2", "x", "-1"]) func `The descriptor of readiness is above the standard ones`(text: String) {
        #expect(throws: Failure.self) { try DaemonOptions.parse(["--ready-fd", text]) }
    }
}
