// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import KeyfobVault
import Testing

@Suite(.lendsTokens) struct CheckpointTests {
    private let checkpoint = AuditCheckpoint(sequence: .max - 1, time: 1_796_032_800_123_456, hash: Array(1...32))

    private func seal(_ test: TestVault) throws -> [UInt8] {
        try test.vault.sealCheckpoint(checkpoint, under: test.vault.checkpointKey())
    }

    @Test func `A checkpoint is sealed and opened before the first unlock`() throws {
        let test = try TestVault()
        #expect(try test.vault.openCheckpoint(seal(test)) == checkpoint)
    }

    @Test func `A checkpoint is sealed and opened while locked`() throws {
        let test = try TestVault().unlocked()
        let sealed = try seal(test)
        try test.vault.lock()
        #expect(try test.vault.openCheckpoint(sealed) == checkpoint)
        #expect(try test.reopened().openCheckpoint(seal(test)) == checkpoint)
    }

    @Test func `A checkpoint of which any byte was changed is none`() throws {
        let test = try TestVault()
        let sealed = try seal(test)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(try test.vault.openCheckpoint(changed) == nil, "byte \(index)")
        }
        #expect(try test.vault.openCheckpoint(Array(sealed.dropLast())) == nil)
        #expect(try test.vault.openCheckpoint([]) == nil)
    }

    @Test func `The checkpoint of another keychain is none`() throws {
        let (mine, other) = (try TestVault(), try TestVault())
        #expect(try mine.vault.openCheckpoint(seal(other)) == nil)
    }

    @Test func `A checkpoint costs one operation of the token`() throws {
        let test = try TestVault()
        _ = try seal(test)
        let before = test.vault.token.calls.snapshot()
        _ = try seal(test)
        let made = test.vault.token.calls.snapshot().merging(before) { $0 - $1 }.filter { $0.value != 0 }
        #expect(made == ["C_EncryptInit": 1, "C_Encrypt": 1])
    }

    @Test func `The log names an attribute by another digest than the store`() throws {
        let index = try TestVault().vault.index(.audit)
        let logged = index.audit(.genericPassword, .service, .text("mail"))
        #expect(logged != index.search(.service, .text("mail"), kind: .blob))
        #expect(logged != index.audit(.genericPassword, .account, .text("mail")))
        #expect(logged != index.audit(.internetPassword, .service, .text("mail")))
        #expect(logged == index.audit(.genericPassword, .service, .text("mail")))
        #expect(logged.count == 16)
    }
}
