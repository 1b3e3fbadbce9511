// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobSystemd
internal import Glibc

/// The journal, to which lines with fields go straight, not by way of the standard error.
package enum Journal {
    /// Sends one line; blocks no longer than it takes to hand over a datagram.
    ///
    /// - Returns: 0, or the number of the fault (errno); without a journal nothing is sent, and that is no fault.
    @discardableResult
    package static func send(_ fields: [JournalField]) -> Int32 {
        // One run of bytes, so that all addresses are good at once.
        var bytes: [UInt8] = []
        var ends: [Int] = []
        for field in fields {
            bytes += field.bytes
            ends.append(bytes.count)
        }
        let result = unsafe bytes.withUnsafeMutableBytes { all -> Int32 in
            guard let base = all.baseAddress else { return 0 }
            var vector: [iovec] = unsafe []
            var start = 0
            for end in ends {
                unsafe vector.append(iovec(iov_base: base + start, iov_len: end - start))
                start = end
            }
            return unsafe sd_journal_sendv(vector, Int32(vector.count))
        }
        return -result
    }
}
