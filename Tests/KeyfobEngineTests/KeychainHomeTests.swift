// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobEngine
import KeyfobModel
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct KeychainHomeTests {
    @Test func `A folder without a keychain holds none`() throws {
        #expect(try !KeychainHome.resolve(explicit: "/nonexistent/keychain").holdsKeychain())
    }

    @Test func `A keychain that this user may not see is not taken for none`() async {
        await #expect(processExitsWith: .success) {
            let keychain = try TestKeychain()
            let home = keychain.home
            // Root sees everything: as somebody else.
            if geteuid() == 0 {
                precondition(seteuid(65534) == 0)
            } else {
                precondition(unsafe chmod(home.path, 0) == 0)
            }
            do throws(KeychainError) {
                _ = try home.holdsKeychain()
                preconditionFailure("seen")
            } catch {
                precondition(error.code == .permissions)
            }
            precondition(geteuid() != 65534 || seteuid(0) == 0)
        }
    }
}
