// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory

extension SecretBytes {
    /// Zeros, with the error of this module.
    static func zeros(_ count: Int) throws(LibcryptoError) -> SecretBytes {
        do {
            return try SecretBytes(count: count)
        } catch {
            throw LibcryptoError(call: error.name, fault: .memory(error))
        }
    }
}
