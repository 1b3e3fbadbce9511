// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// HKDF with SHA-256 (RFC 5869), all intermediate keys in secret memory.
package enum HKDF {
    /// The longest key there is: 255 blocks.
    package static let maximumCount = 255 * Digest256.size

    /// A key of `count` bytes from the input key, a salt (may be empty) and a context.
    ///
    /// - Throws: `.size` if `count` is not in 1...8160, `.memory`.
    package static func deriveKey(
        from input: borrowing SecretBytes, salt: RawSpan, info: RawSpan, count: Int
    ) throws(LibcryptoError) -> SecretBytes {
        guard (1...maximumCount).contains(count) else { throw LibcryptoError(call: "HKDF", fault: .size) }
        let expand = try HMACSHA256(key: extract(input, salt: salt))
        var output = try SecretBytes.zeros(count)
        // Each block is the function of the one before; it is moved to the output and is input again.
        var previous = try SecretBytes.zeros(Digest256.size)
        var block = try SecretBytes.zeros(Digest256.size)
        for (index, offset) in stride(from: 0, to: count, by: Digest256.size).enumerated() {
            unsafe block.withUnsafeMutableBytes { block in
                previous.withBytes { previous in
                    unsafe expand.digest(into: block) { message in
                        if index > 0 { message.append(previous) }
                        message.append(info)
                        message.append(UInt8(index + 1))
                    }
                }
                unsafe output.withUnsafeMutableBytes { output in
                    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: output[offset...])
                    unsafe rest.copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: block[..<min(rest.count, block.count)]))
                }
            }
            swap(&previous, &block)
        }
        return output
    }

    private static func extract(_ input: borrowing SecretBytes, salt: RawSpan) throws(LibcryptoError) -> SecretBytes {
        var key = try SecretBytes.zeros(salt.byteCount)
        unsafe key.withUnsafeMutableBytes { key in unsafe salt.withUnsafeBytes { unsafe key.copyMemory(from: $0) } }
        let function = try HMACSHA256(key: key)
        var made = try SecretBytes.zeros(Digest256.size)
        unsafe made.withUnsafeMutableBytes { made in
            input.withBytes { input in unsafe function.digest(into: made) { $0.append(input) } }
        }
        return made
    }
}
