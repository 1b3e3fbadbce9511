// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory

/// Suite aes-gcm under a class key that the host holds: `IV 12 | ciphertext | tag 16`, by libcrypto in the process.
///
/// The key is wiped with the last reference to it.
final class HostSealing: SealingKey {
    private let key: SecretBytes

    init(_ key: consuming SecretBytes) {
        self.key = key
    }

    func sealedSize(of count: Int) -> Int { GCMSealing.sealedSize(of: count) }

    func seal(
        _ secret: borrowing SecretBytes, _ associatedData: [UInt8], into blob: inout [UInt8], at offset: Int
    ) throws(SealError) {
        do throws(LibcryptoError) { try NonceSeal.seal(secret, key, associatedData, into: &blob, at: offset) } catch {
            throw SealError(error)
        }
    }

    func open(_ sealed: RawSpan, _ associatedData: [UInt8]) throws(SealError) -> SecretBytes {
        guard sealed.byteCount > Envelope.nonceSize + Envelope.tagSize else { throw .notAuthentic }
        return try SealError.host { () throws(LibcryptoError) in try NonceSeal.open(sealed, key, associatedData) }
    }
}
