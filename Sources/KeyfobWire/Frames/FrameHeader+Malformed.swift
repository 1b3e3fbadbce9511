// SPDX-License-Identifier: Apache-2.0

extension FrameHeader {
    /// What an answer to bytes that are no header needs of them: the request id, and the operation; no length.
    ///
    /// Zeros if there are fewer than `size` bytes.
    package init(malformed bytes: RawSpan) {
        guard bytes.byteCount >= Self.size else {
            self.init(length: 0, operation: 0, requestID: 0)
            return
        }
        self.init(
            length: 0, operation: unsafe bytes.unsafeLoad(fromByteOffset: 5, as: UInt8.self),
            requestID: UInt32(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt32.self)))
    }
}
