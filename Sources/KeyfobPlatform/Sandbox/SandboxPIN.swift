// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobMemory
internal import KeyfobModel

/// The PIN of a throw-away token: random, and in a file only.
enum SandboxPIN {
    /// Writes a PIN of 32 hexadecimal digits, 128 random bits, into a new file of mode 0600.
    ///
    /// - Throws: `.diskFull`, `.inputOutput`, `.outOfMemory`.
    static func make(_ path: String) throws(KeychainError) {
        var pin: SecretBytes
        do throws(SecretMemoryError) { pin = try SecretBytes(count: 32) } catch { throw KeychainError(error, .create) }
        var random = SystemRandomNumberGenerator()
        unsafe pin.withUnsafeMutableBytes { digits in
            for index in digits.indices {
                unsafe digits[index] = [UInt8]("0123456789abcdef".utf8)[Int.random(in: 0..<16, using: &random)]
            }
        }
        do throws(PosixError) {
            let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            try pin.withBytes { (span) throws(PosixError) in try file.write(span) }
        } catch {
            throw KeychainError(error, .create, path: path)
        }
    }
}
