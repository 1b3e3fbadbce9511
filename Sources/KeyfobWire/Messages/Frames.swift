// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory

/// Makes frames.
enum Frames {
    /// A frame of exactly that size, whose body `body` writes; wiped when its owner lets go.
    static func make(
        _ operation: WireOperation, requestID: UInt32, bodySize: Int, _ body: (inout BufferSink) -> Void
    ) throws(SecretMemoryError) -> SecretBytes {
        var frame = try SecretBytes(count: FrameHeader.size + bodySize)
        unsafe frame.withUnsafeMutableBytes { buffer in
            var sink = unsafe BufferSink(buffer)
            sink.put(UInt32(truncatingIfNeeded: bodySize))
            sink.put(UInt32(WireLimits.version) << 24 | UInt32(operation.rawValue) << 16)
            sink.put(requestID)
            body(&sink)
        }
        return frame
    }
}
