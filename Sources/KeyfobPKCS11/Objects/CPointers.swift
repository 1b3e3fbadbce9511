// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit

// Cryptoki takes its inputs as pointers to mutable bytes and promises not to write them; these say that once.

extension UnsafeRawBufferPointer {
    /// The bytes as Cryptoki wants an input; never nil, for some modules refuse a null pointer even when the length
    /// is 0.
    var mutableBytes: UnsafeMutablePointer<CK_BYTE>? {
        guard let base = baseAddress else { return unsafe nothing }
        return unsafe UnsafeMutablePointer(mutating: base.assumingMemoryBound(to: CK_BYTE.self))
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The bytes as Cryptoki wants a buffer; never nil.
    var bytes: UnsafeMutablePointer<CK_BYTE>? {
        guard let base = baseAddress else { return unsafe nothing }
        return unsafe base.assumingMemoryBound(to: CK_BYTE.self)
    }
}

/// A place that exists, for lengths of 0: never read or written.
nonisolated(unsafe) private let nothing: UnsafeMutablePointer<CK_BYTE>? = {
    let place = UnsafeMutablePointer<CK_BYTE>.allocate(capacity: 16)
    unsafe place.initialize(repeating: 0, count: 16)
    return unsafe place
}()
