// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import KeyfobStore
import KeyfobVault
import Testing

@testable import KeyfobEngine

@Suite struct KeyRecordTests {
    private func stored(_ wrapped: [UInt8]?, residence: Residence = .unwrappedSession) -> ClassKeyRecord {
        ClassKeyRecord(
            classKey: Accessibility.afterFirstUnlock.rawValue, generation: 1, suite: Suite.aesGCM.rawValue,
            residence: residence.rawValue, state: ClassKeyRecord.inUse, wrapped: wrapped, metadataKey: [1])
    }

    @Test func `What is stored is read`() throws {
        var material = KeyMaterial()
        material.wrapped = [WrappedKey(.aes, [UInt8](repeating: 7, count: 40))]
        let record = KeyRecord(
            id: ClassKeyID(.afterFirstUnlock, generation: 1), suite: .aesGCM, residence: .unwrappedSession,
            material: material, sealedMetadataKey: [1])
        #expect(KeyRecord(record.stored) == record)
        #expect(record.stored.wrapped?.count == 43)
    }

    @Test func `A wrapped key of a store of version 1 is read, whatever its bytes`() {
        // The last would be an encoding: part 1 of 37 bytes.
        for bytes in [[UInt8](repeating: 200, count: 40), [1, 0, 37] + [UInt8](repeating: 9, count: 37)] {
            #expect(KeyRecord(stored(bytes))?.material.wrapped == [WrappedKey(.aes, bytes)])
        }
    }

    @Test func `What is no encoding makes the class unavailable`() {
        #expect(KeyRecord(stored([UInt8](repeating: 200, count: 41))) == nil)
        #expect(KeyRecord(stored([UInt8](repeating: 200, count: 40), residence: .tokenPrivate)) == nil)
    }
}
