// SPDX-License-Identifier: Apache-2.0
import KeyfobTestSupport
import Testing

/// Programs that fork while they have a keychain open.
@Suite struct ForkTests {
    @Test func `A child is told that the keychain is not available, and its parent goes on`() throws {
        let statuses = try ProgramKeychain().run(["fork"], environment: ["KEYFOB_EMBEDDED": "0"])
        // errSecItemNotFound, errSecNotAvailable
        #expect(statuses == ["-25300", "-25291", "-25300"])
    }
}
