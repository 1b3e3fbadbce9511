// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import KeyfobVault
import Testing

extension TokenContract {
    /// Keychains on pairs that were on the token before them.
    @Suite struct AdoptionTests {
        /// A keychain on a pair, with a value in each class.
        private struct Keychain {
            let vault: Vault
            private let blobs: [Accessibility: ([UInt8], ItemBinding)]

            init(_ token: Token, on id: [UInt8]) throws {
                let uuid = try Vault.freshUUID(.create)
                var policy = KeyPolicy()
                policy.objectID = id
                policy.allowsHostHeld = true
                var made: Provisioner.Keys?
                let pin = try TestToken.shared.pin()
                try Provisioner.run(keychain: uuid, token: token, policy, pin: pin, progress: { _ in }) { made = $0 }
                let keys = try #require(made)
                vault = try Vault(
                    keychain: uuid, token: token, records: keys.records, sealedIndexKey: keys.sealedIndexKey)
                try vault.unlock(pin)
                var blobs: [Accessibility: ([UInt8], ItemBinding)] = [:]
                for accessible in Accessibility.allCases {
                    let binding = ItemBinding(
                        keychain: uuid, item: try Vault.freshUUID(.add), scope: [UInt8](repeating: 1, count: 32),
                        tuple: [UInt8](repeating: 2, count: 16), extra: [],
                        key: ClassKeyID(accessible, generation: 1), accessControl: [])
                    let value = try SecretBytes(copying: [7, 8, 9])
                    blobs[accessible] = (try vault.sealValue(value, binding: binding, .add), binding)
                }
                self.blobs = blobs
            }

            /// The classes whose value is read.
            func open() -> Set<Accessibility> {
                Set(
                    blobs.filter { _, sealed in
                        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 3, alignment: 1)
                        defer { unsafe output.deallocate() }
                        let opened = Result { () throws(OpenFailure) in
                            unsafe try vault.openValue(sealed.0, binding: sealed.1, into: output, .copyMatching)
                        }
                        guard case .success = opened else { return false }
                        return unsafe output.elementsEqual([7, 8, 9])
                    }.keys)
            }
        }

        private static let late = Set(Accessibility.allCases.filter { $0.availability != .whileUnlocked })

        /// What the pair does after locks of a keychain on it, and that each class keeps its promise.
        private func locks(_ token: Token, _ id: [UInt8]) throws -> Answer {
            let keychain = try Keychain(token, on: id)
            var starts: [Int] = []
            for _ in 1...2 {
                #expect(keychain.open() == Set(Accessibility.allCases))
                let before = token.module.calls.calls(of: .initialize)
                try keychain.vault.lock(LastLock(.explicit, time: 0))
                starts.append(token.module.calls.calls(of: .initialize) - before)
                #expect(keychain.vault.lockState == .locked)
                #expect(keychain.open() == Self.late)
                try keychain.vault.unlock(TestToken.shared.pin())
            }
            try keychain.vault.end(LastLock(.explicit, time: 0))
            #expect(keychain.open() == [])
            #expect(starts == [0, 0] || starts == [1, 1])
            return starts == [0, 0] ? "refused" : "refused after a new start"
        }

        @Test func `A keychain on an RSA pair that was there keeps the promise of each class`() throws {
            try Bench.loggedIn { token in
                try MadeKey.withRSA(on: token) { _, _, id, _ in
                    try token.logout()
                    keep(.forgets, try locks(token, id))
                    keep(.adopted, .yes)
                }
            }
        }

        @Test func `A keychain on a P-256 pair of a card keeps the promise of each class`() throws {
            // The other kinds have no pairs of their own.
            guard TestToken.shared.kind == .opensc else { return }
            let token = try TestToken.shared.open()
            #expect(try locks(token, [3]) == TokenPromises.expected(.forgets))
        }

        @Test func `A card that is pulled and inserted while unlocked is before first unlock`() throws {
            guard TestToken.shared.kind == .opensc else { return }
            let keychain = try Keychain(TestToken.shared.open(), on: [1])
            try TestToken.shared.pull()
            keychain.vault.checkToken()
            #expect(keychain.vault.lockState == .noToken && keychain.open() == [])
            try TestToken.shared.insert()
            try keychain.vault.unlock(TestToken.shared.pin())
            #expect(keychain.open() == Set(Accessibility.allCases))
            try keychain.vault.end(LastLock(.explicit, time: 0))
        }

        @Test func `The pair of a card that asks for the PIN at each use is refused`() throws {
            guard TestToken.shared.kind == .opensc else { return }
            let token = try TestToken.shared.open()
            let error = #expect(throws: KeychainError.self) { _ = try Keychain(token, on: [2]) }
            #expect(error?.code == .residenceRefused)
        }

        @Test func `A token that makes no keys names the pairs that it has`() throws {
            guard TestToken.shared.kind == .opensc else { return }
            let (token, uuid) = (try TestToken.shared.open(), try Vault.freshUUID(.create))
            let pin = try TestToken.shared.pin()
            let error = #expect(throws: KeychainError.self) {
                try Provisioner.run(keychain: uuid, token: token, pin: pin, progress: { _ in }, keep: { _ in })
            }
            #expect(error?.remedy == .giveKeyID)
            guard case .format(_, let fault) = error?.cause else { throw KeychainError(.internalError, .provision) }
            #expect(fault.contains("01 (RSA, PIV AUTH key)") && fault.contains("03 (EC, KEY MAN key)"))
        }
    }
}
