// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import KeyfobMemory

/// The bytes that pairs of hexadecimal digits name.
func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap { $0.hexDigitValue }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// That many equal bytes.
func repeated(_ byte: UInt8, _ count: Int) -> [UInt8] { Array(repeating: byte, count: count) }

extension SecretBytes {
    /// The bytes as an array, for comparison in a test.
    var exposed: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}

/// `AESGCM.seal` with arrays.
func seal(_ plaintext: [UInt8], key: [UInt8], nonce: [UInt8], aad: [UInt8] = []) throws -> [UInt8] {
    let key = try SecretBytes(copying: key)
    var sealed = repeated(0xEE, plaintext.count + AESGCM.tagSize)
    unsafe try sealed.withUnsafeMutableBytes { output in
        unsafe try AESGCM.seal(
            plaintext.span.bytes, key: key, nonce: nonce.span.bytes, aad: aad.span.bytes, into: output)
    }
    return sealed
}

/// `AESGCM.open` with arrays.
func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8], aad: [UInt8] = []) throws -> [UInt8] {
    let key = try SecretBytes(copying: key)
    return unsafe try AESGCM.open(sealed.span.bytes, key: key, nonce: nonce.span.bytes, aad: aad.span.bytes).exposed
}

extension HMACSHA256 {
    /// `digest` of an array.
    func digest(of bytes: [UInt8]) -> Digest256 { unsafe digest(bytes.span.bytes) }
}

extension HashFunction {
    /// `digest` of an array.
    func digest(of bytes: [UInt8]) throws -> [UInt8] { unsafe try digest(bytes.span.bytes) }
}
