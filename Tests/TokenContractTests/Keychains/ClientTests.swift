// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobModel
import KeyfobTestSupport
import Testing

extension TokenContract {
    /// Clients that use one keychain at the same time.
    @Suite struct ClientTests {
        /// What a client does: items of its own, and one that all of them change.
        private static func work(_ service: any KeychainService, _ client: Int) throws {
            for round in 0..<10 {
                let name = "\(client) \(round)"
                let value: [UInt8] = [UInt8(client), UInt8(round)]
                let accessible: Accessibility = round.isMultiple(of: 2) ? .whenUnlocked : .afterFirstUnlock
                try KeychainCall.add(service, name, accessible, value: value)
                guard try KeychainCall.value(service, name) == value else { throw Wrong(name: name) }
                try KeychainCall.update(service, name, value + value)
                guard try KeychainCall.value(service, name) == value + value else { throw Wrong(name: name) }
                try KeychainCall.update(service, "common", value)
            }
        }

        private struct Wrong: Error {
            let name: String
        }

        @Test func `Four clients read and write two hundred times, and nothing is lost`() throws {
            try TokenKeychain.with { keychain in
                try keychain.unlock()
                let service = keychain.service
                try KeychainCall.add(service, "common")
                let failures = Shared<[String]>([])
                Threads.run(4) { client in
                    do { try Self.work(service, client) } catch {
                        failures.change { $0.append("\(client): \(error)") }
                    }
                }
                #expect(failures.now == [])
                for client in 0..<4 {
                    for round in 0..<10 {
                        let value: [UInt8] = [UInt8(client), UInt8(round)]
                        #expect(try KeychainCall.value(service, "\(client) \(round)") == value + value)
                    }
                }
                #expect(try KeychainCall.value(service, "common")?.count == 2)
                try keychain.engine.lock()
            }
        }

        @Test func `Clients that meet a lock are served or refused, and nothing else`() throws {
            try TokenKeychain.with { keychain in
                try keychain.unlock()
                let service = keychain.service
                try KeychainCall.add(service, "mail")
                let engine = keychain.engine
                let others = Shared<[String]>([])
                Threads.run(4) { client in
                    for _ in 0..<10 {
                        do {
                            if client == 0 {
                                try engine.lock()
                                try engine.unlock(TestToken.shared.pin())
                            } else if try KeychainCall.value(service, "mail") != [1, 2, 3] {
                                others.change { $0.append("other bytes") }
                            }
                        } catch let error as KeychainError where error.code == .interactionNotAllowed && client != 0 {
                            continue
                        } catch {
                            others.change { $0.append("\(client): \(error)") }
                        }
                    }
                }
                #expect(others.now == [])
                #expect(try KeychainCall.value(service, "mail") == [1, 2, 3])
            }
        }
    }
}
