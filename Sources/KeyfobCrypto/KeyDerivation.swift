// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobLibcrypto
package import KeyfobMemory

/// Keys made of other secrets, by libcrypto; calls block for computing only and may come from any thread.
package enum KeyDerivation {
    /// `count` bytes by HKDF-SHA-256 (RFC 5869) without a salt: the input is random already.
    ///
    /// - Parameter info: what the key is for; another info gives an independent key.
    /// - Throws: `.library`, `.memory`.
    package static func hkdf(
        _ secret: borrowing SecretBytes, info: [UInt8], count: Int
    ) throws(LibcryptoError) -> SecretBytes {
        let function = try Function("HKDF")
        var derived = try SecretBytes.zeros(count)
        let done = unsafe secret.withUnsafeBytes { secret in
            unsafe info.withUnsafeBytes { info in
                var parameters = LibcryptoParameters()
                parameters.add("digest", text: "SHA256")
                unsafe parameters.add("key", bytes: secret)
                unsafe parameters.add("info", bytes: info)
                return unsafe function.derive(&derived, parameters.ended)
            }
        }
        guard done == 1 else { throw .drained("EVP_KDF_derive") }
        return derived
    }

    /// What guessing a password costs (RFC 7914 §2): memory is `128 * blockSize * 2^logarithm` bytes.
    package struct Scrypt: Hashable, Sendable {
        /// The binary logarithm of the number of rounds N.
        package let logarithm: UInt8
        /// The parameter r.
        package let blockSize: UInt8
        /// The parameter p.
        package let parallelism: UInt8

        /// What new passwords are derived with: 32 MiB.
        package static let current = Scrypt(logarithm: 15, blockSize: 8, parallelism: 1)

        package init(logarithm: UInt8, blockSize: UInt8, parallelism: UInt8) {
            self.logarithm = logarithm
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        /// The bytes of memory that it takes.
        var memory: UInt64 { 128 * UInt64(blockSize) << UInt64(logarithm) }

        /// Whether a stored one asks for no more than 128 MiB and four times the usual work: whoever can write to a store
        /// must not be able to keep the machine busy.
        package var isAcceptable: Bool {
            (10...17).contains(logarithm) && (1...8).contains(blockSize) && (1...4).contains(parallelism)
        }
    }

    /// `count` bytes by scrypt (RFC 7914) of a password; takes about a tenth of a second with the current cost.
    ///
    /// - Throws: `.library`, `.memory`; `.size` for a cost that is not acceptable.
    package static func scrypt(
        _ password: borrowing SecretBytes, salt: [UInt8], _ cost: Scrypt, count: Int
    ) throws(LibcryptoError) -> SecretBytes {
        guard cost.isAcceptable else { throw LibcryptoError(call: "EVP_KDF_derive", fault: .size) }
        let function = try Function("SCRYPT")
        var derived = try SecretBytes.zeros(count)
        // N, r, p, and a limit with room for what libcrypto keeps besides.
        var numbers: (UInt64, UInt64, UInt64, UInt64) = (
            1 << UInt64(cost.logarithm), UInt64(cost.blockSize), UInt64(cost.parallelism), cost.memory + 4 << 20
        )
        let done = unsafe withUnsafeMutablePointer(to: &numbers) { numbers in
            unsafe password.withUnsafeBytes { password in
                unsafe salt.withUnsafeBytes { salt in
                    var parameters = LibcryptoParameters()
                    unsafe parameters.add("pass", bytes: password)
                    unsafe parameters.add("salt", bytes: salt)
                    unsafe numbers.withMemoryRebound(to: UInt64.self, capacity: 4) { numbers in
                        unsafe parameters.add("n", number: numbers)
                        unsafe parameters.add("r", number: numbers + 1)
                        unsafe parameters.add("p", number: numbers + 2)
                        unsafe parameters.add("maxmem_bytes", number: numbers + 3)
                    }
                    return unsafe function.derive(&derived, parameters.ended)
                }
            }
        }
        guard done == 1 else { throw .drained("EVP_KDF_derive") }
        return derived
    }
}

/// One `EVP_KDF_CTX`, which libcrypto wipes as it frees it.
@safe private struct Function: ~Copyable {
    private let context: OpaquePointer

    init(_ name: String) throws(LibcryptoError) {
        LibcryptoError.forgetOthers()
        guard let method = unsafe EVP_KDF_fetch(nil, name, nil) else { throw .drained("EVP_KDF_fetch") }
        // The context holds on to its method.
        defer { unsafe EVP_KDF_free(method) }
        guard let made = unsafe EVP_KDF_CTX_new(method) else { throw .drained("EVP_KDF_CTX_new") }
        unsafe context = made
    }

    deinit {
        unsafe EVP_KDF_CTX_free(context)
    }

    func derive(_ output: inout SecretBytes, _ parameters: [OSSL_PARAM]) -> Int32 {
        unsafe output.withUnsafeMutableBytes { output in
            unsafe EVP_KDF_derive(
                context, output.bindMemory(to: UInt8.self).baseAddress, output.count, parameters)
        }
    }
}
