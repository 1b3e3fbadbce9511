// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import KeyfobModel
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite struct ServiceSelectionTests {
    @Test func `Without a keychain every call gives errSecNotAvailable`() async {
        await #expect(processExitsWith: .success) {
            unsafe unsetenv("KEYFOB_EMBEDDED")
            // A daemon of this machine is not meant.
            unsafe setenv("KEYFOB_SOCKET", "/nonexistent/keyfobd.sock", 1)
            let statuses = [add(password()), exists(password()), update(password(), [:]), delete(password())]
            exit(statuses.allSatisfy { $0 == errSecNotAvailable } ? 0 : 1)
        }
    }

    @Test func `The reason is said once on standard error`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            unsafe unsetenv("KEYFOB_EMBEDDED")
            // A daemon of this machine is not meant.
            unsafe setenv("KEYFOB_SOCKET", "/nonexistent/keyfobd.sock", 1)
            for _ in 0..<3 { _ = exists(password()) }
            exit(0)
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.components(separatedBy: "keyfob: error: ").count == 2)
        #expect(text.contains("keyfob: hint: start the daemon"))
    }

    @Test func `The installed keychain answers all threads`() async {
        await #expect(processExitsWith: .success) {
            ServiceSelection.install(ModelService())
            add(password())
            let thread = Thread { exit(exists(password()) == errSecSuccess ? 0 : 1) }
            thread.start()
            while true { pause() }
        }
    }

    @Test func `Taking the keychain away leaves none`() async {
        await #expect(processExitsWith: .success) {
            unsafe unsetenv("KEYFOB_EMBEDDED")
            // A daemon of this machine is not meant.
            unsafe setenv("KEYFOB_SOCKET", "/nonexistent/keyfobd.sock", 1)
            ServiceSelection.install(ModelService())
            ServiceSelection.install(nil)
            exit(exists(password()) == errSecNotAvailable ? 0 : 1)
        }
    }

    @Test func `A scoped keychain stands before the installed one`() async {
        await #expect(processExitsWith: .success) {
            ServiceSelection.install(ModelService())
            withKeychain { _ in _ = add(password()) }
            exit(exists(password()) == errSecItemNotFound ? 0 : 1)
        }
    }
}
