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
        let start = offset + Envelope.nonceSize
        let end = offset + sealedSize(of: secret.count)
        do throws(LibcryptoError) {
            let nonce = try RandomBytes.bytes(Envelope.nonceSize)
            blob.replaceSubrange(offset..<start, with: nonce)
            try secret.withBytes { (plaintext) throws(LibcryptoError) in
                var bytes = blob.mutableSpan
                unsafe try bytes.withUnsafeMutableBytes { (buffer) throws(LibcryptoError) in
                    unsafe try AESGCM.seal(
                        plaintext, key: key, nonce: nonce.span.bytes, aad: associatedData.span.bytes,
                        into: UnsafeMutableRawBufferPointer(rebasing: buffer[start..<end]))
                }
            }
        } catch {
            throw SealError(error)
        }
    }

    func open(_ sealed: RawSpan, _ associatedData: [UInt8]) throws(SealError) -> SecretBytes {
        guard sealed.byteCount > Envelope.nonceSize + Envelope.tagSize else { throw .notAuthentic }
        do throws(LibcryptoError) {
            return unsafe try AESGCM.open(
                sealed.extracting(Envelope.nonceSize...), key: key, nonce: sealed.extracting(first: Envelope.nonceSize),
                aad: associatedData.span.bytes)
        } catch {
            throw SealError(error)
        }
    }
}
