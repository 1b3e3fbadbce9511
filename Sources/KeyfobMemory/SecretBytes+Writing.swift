// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims

extension SecretBytes {
    /// Writes `span` over the bytes from `offset` on; it must fit.
    package mutating func overwrite(at offset: Int, with span: RawSpan) {
        precondition(offset >= 0 && span.byteCount <= count - offset, "bytes beyond the end of a secret")
        unsafe withUnsafeMutableBytes { target in
            unsafe span.withUnsafeBytes { source in
                guard let from = source.baseAddress, let base = target.baseAddress else { return }
                unsafe (base + offset).copyMemory(from: from, byteCount: source.count)
            }
        }
    }

    /// Overwrites the first `length` bytes with zeros, in a way the compiler may not drop.
    package mutating func wipe(first length: Int) {
        precondition(length >= 0 && length <= count, "bytes beyond the end of a secret")
        unsafe withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe keyfob_zeroise(base, length)
        }
    }
}
