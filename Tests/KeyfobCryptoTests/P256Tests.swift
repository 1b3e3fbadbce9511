// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import Testing

@testable import KeyfobCrypto

@Suite struct P256Tests {
    /// A private number, its point and what it shares with a peer.
    struct Vector: Sendable {
        let name: String
        let scalar: String
        let point: String
        let peer: String
        let secret: String
    }

    private static let initiator = """
        04 dad0b65394221cf9b051e1feca5787d098dfe637fc90b9ef945d0c3772581180
        5271a0461cdb8252d61f1c456fa3e59ab1f45b33accf5f58389e0577b8990bb3
        """
    private static let responder = """
        04 d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf63
        56fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872ab
        """

    static let vectors = [
        Vector(
            name: "RFC 5903 §8.1, initiator",
            scalar: "c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433",
            point: initiator, peer: responder,
            secret: "d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de"),
        Vector(
            name: "RFC 5903 §8.1, responder",
            scalar: "c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53",
            point: responder, peer: initiator,
            secret: "d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de"),
        Vector(
            name: "NIST CAVP, KAS ECC CDH primitive, P-256, count 0",
            scalar: "7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534",
            point: """
                04 ead218590119e8876b29146ff89ca61770c4edbbf97d38ce385ed281d8a6b230
                28af61281fd35e2fa7002523acc85a429cb06ee6648325389f59edfce1405141
                """,
            peer: """
                04 700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287
                db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac
                """,
            secret: "46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b"),
    ]

    private func key(_ text: String) throws -> P256PublicKey { try #require(try P256PublicKey(point: hex(text))) }

    @Test(arguments: vectors)
    func `A published pair shares what was published`(vector: Vector) throws {
        let pair = try P256KeyPair(scalar: SecretBytes(copying: hex(vector.scalar)), publicKey: key(vector.point))
        #expect(try pair.sharedSecret(with: key(vector.peer)).exposed == hex(vector.secret), "\(vector.name)")
    }

    @Test func `The holder of the private half computes what was shared`() throws {
        let pair = try P256KeyPair()
        let share = try pair.publicKey.share()
        #expect(share.point.count == 65)
        #expect(share.secret.count == 32)
        let point = try #require(try P256PublicKey(point: share.point))
        #expect(try pair.sharedSecret(with: point).exposed == share.secret.exposed)
        #expect(try P256KeyPair().sharedSecret(with: point).exposed != share.secret.exposed)
    }

    @Test func `No two shares are equal`() throws {
        let key = try key(Self.initiator)
        let first = try key.share()
        let second = try key.share()
        #expect(first.point != second.point)
        #expect(first.secret.exposed != second.secret.exposed)
    }

    @Test func `A point is kept as it was given`() throws {
        #expect(try key(Self.responder).point == hex(Self.responder))
    }

    @Test(arguments: 1..<65)
    func `A point with a changed byte is none`(index: Int) throws {
        var point = hex(Self.initiator)
        point[index] ^= 1
        #expect(try P256PublicKey(point: point) == nil)
    }

    @Test(arguments: [[], [0], [4]] + [64, 66, 67].map { Array(repeating: 4, count: $0) })
    func `Bytes of another number are no point`(bytes: [UInt8]) throws {
        #expect(try P256PublicKey(point: bytes) == nil)
    }

    @Test(arguments: [UInt8(0), 2, 3, 5, 6, 7, 255])
    func `Other forms of a point are refused`(first: UInt8) throws {
        var point = hex(Self.initiator)
        point[0] = first
        #expect(try P256PublicKey(point: point) == nil)
        // The compressed form is as good a point, and not what a token is given.
        #expect(try P256PublicKey(point: Array(point[..<33])) == nil)
    }

    @Test func `Zeros and coordinates beyond the field are no point`() throws {
        #expect(try P256PublicKey(point: [4] + repeated(0, 64)) == nil)
        #expect(try P256PublicKey(point: [4] + repeated(0xFF, 64)) == nil)
    }

    @Test func `A refusal leaves nothing in libcrypto's queue for the next call`() throws {
        #expect(try P256PublicKey(point: [4] + repeated(1, 64)) == nil)
        #expect(LibcryptoError.drained("x").queue == [])
    }
}
