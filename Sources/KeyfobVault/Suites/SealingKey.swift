// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
internal import KeyfobPKCS11

/// A class key at work: seals and opens the short keys (32 to 64 bytes) that are under it.
protocol SealingKey: Sendable {
    /// The size of the sealed form of a secret of `count` bytes, in bytes.
    func sealedSize(of count: Int) -> Int
    /// Writes the sealed form of `secret` into `blob` at `offset`, where `sealedSize` bytes have room.
    func seal(
        _ secret: borrowing SecretBytes, _ associatedData: [UInt8], into blob: inout [UInt8], at offset: Int
    ) throws(SealError)
    /// The secret inside a sealed form.
    func open(_ sealed: RawSpan, _ associatedData: [UInt8]) throws(SealError) -> SecretBytes
}

/// Why a class key did not seal or open.
enum SealError: Error {
    case token(PKCS11Error)
    case libcrypto(LibcryptoError)
    case memory(SecretMemoryError)
    /// The host found the sealed form changed.
    case notAuthentic
}
