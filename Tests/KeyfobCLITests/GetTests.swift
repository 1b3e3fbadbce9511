// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCLI
internal import Testing

struct GetTests {
    @Test func `Get writes the exact bytes and nothing else to a pipe`() {
        let fake = FakeAccess()
        let bytes = (0...255).map { UInt8($0) }
        fake.store("mail", value: bytes)
        let run = Transcript(["get", "mail"], on: fake)
        #expect(run.output == bytes)
        #expect(run.error == "")
        #expect(run.status == .success)
    }
}
