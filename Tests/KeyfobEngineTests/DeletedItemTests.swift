// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

/// What is deleted is not left lying in the file: neither the sealed value, which has its sealed key in it, nor the
/// sealed attributes.
@Suite(.lendsTokens) struct DeletedItemTests {
    /// The sealed parts of the victim, as they lie in the file.
    private func sealedParts(_ lab: DamageLab) throws -> [Data] {
        var parts: [Data] = []
        try lab.edit { editor in
            for column in ["metadata", "value"] {
                let rows = try editor.rows("SELECT hex(\(column)) FROM items WHERE id = 1")
                // The whole may be cut by a page's end; its last bytes are no less its own.
                let bytes = Array((rows.first ?? "").filter(\.isHexDigit))
                let pairs = stride(from: 0, to: bytes.count - 1, by: 2).map { String(bytes[$0...$0 + 1]) }
                parts.append(Data(pairs.compactMap { UInt8($0, radix: 16) }.suffix(24)))
            }
        }
        return parts
    }

    /// How many of the parts are in the files of the closed keychain.
    private func left(of parts: [Data], in lab: DamageLab) throws -> Int {
        lab.keychain.engine.close()
        var files = Data()
        for suffix in ["", "-wal"] {
            files.append(FileManager.default.contents(atPath: lab.database + suffix) ?? Data())
        }
        try lab.keychain.reopen()
        return parts.filter { files.range(of: $0) != nil }.count
    }

    private let victim = ItemQuery(
        itemClass: .genericPassword, attributes: [.service: .text(DamageLab.victim), .account: .text("ann")])

    @Test func `A deleted item's sealed value and attributes are gone from the files`() throws {
        let lab = try DamageLab()
        let parts = try sealedParts(lab)
        #expect(parts.map(\.count) == [24, 24])
        #expect(try left(of: parts, in: lab) == 2, "or the test below could not fail")
        try lab.keychain.unlocked()
        try lab.service.delete(DeleteRequest(victim))
        #expect(try left(of: parts, in: lab) == 0)
    }

    @Test func `A replaced value's sealed form is gone from the files`() throws {
        let lab = try DamageLab()
        let parts = try sealedParts(lab)
        try lab.service.update(UpdateRequest(victim, value: SecretBytes(copying: [9])))
        #expect(try left(of: parts, in: lab) == 0)
    }
}
