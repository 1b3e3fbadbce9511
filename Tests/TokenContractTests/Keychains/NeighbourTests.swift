// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

extension TokenContract {
    /// Others on the same token.
    @Suite struct NeighbourTests {
        @Test func `Two keychains on one token do not disturb each other`() throws {
            try TokenKeychain.with { first in
                try first.unlock()
                try KeychainCall.add(first.service, "mail", .afterFirstUnlock, value: [1])
                try first.engine.lock()
                try TokenKeychain.with { second in
                    try second.unlock()
                    #expect(code { _ = try KeychainCall.value(second.service, "mail") } == .itemNotFound)
                    try KeychainCall.add(second.service, "mail", .afterFirstUnlock, value: [2])
                    try second.engine.lock()
                    #expect(try KeychainCall.value(second.service, "mail") == [2])
                    try first.unlock()
                    #expect(try KeychainCall.value(first.service, "mail") == [1])
                    try first.engine.lock()
                    try second.unlock()
                    #expect(try KeychainCall.value(second.service, "mail") == [2])
                }
                // The keys of the other are destroyed now.
                try first.reopen()
                try first.unlock()
                #expect(try KeychainCall.value(first.service, "mail") == [1])
            }
        }

        @Test func `Objects of other programs stay as they are, and make no difference`() throws {
            try TokenKeychain.with { keychain in
                try keychain.unlock()
                try KeychainCall.add(keychain.service, "mail")
                try keychain.engine.lock()
                let shape: KeyShape = TokenPromises.expected(.genericKey) == .yes ? .generic : .rsa
                try Bench.loggedIn { token in
                    try MadeKey.with(shape, on: token) { session, _, id in
                        var objects = Template()
                        objects.set(.id, id)
                        let before = try session.find(objects, limit: 10)
                        #expect(!before.isEmpty)
                        try token.logout()
                        try keychain.unlock()
                        #expect(try KeychainCall.value(keychain.service, "mail") == [1, 2, 3])
                        try KeychainCall.add(keychain.service, "news")
                        try keychain.engine.lock()
                        try token.login(try TestToken.shared.pin())
                        #expect(try session.find(objects, limit: 10).count == before.count)
                    }
                }
            }
        }
    }
}
