// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobLibcrypto

/// Comparing without telling, by the time it takes, where two runs of bytes differ.
package enum ConstantTime {
    /// Whether both are as long and hold the same bytes (`CRYPTO_memcmp`); only their lengths decide how long it takes.
    package static func equal(_ left: RawSpan, _ right: RawSpan) -> Bool {
        guard left.byteCount == right.byteCount else { return false }
        return unsafe left.withUnsafeBytes { left in
            unsafe right.withUnsafeBytes { right in
                guard let first = left.baseAddress, let second = right.baseAddress else { return true }
                return unsafe CRYPTO_memcmp(first, second, left.count) == 0
            }
        }
    }
}
