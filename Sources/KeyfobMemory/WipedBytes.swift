// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims

/// Immutable bytes that are shared freely and wiped when the last owner lets go.
///
/// For what is sealed on disk but not a secret of the first rank: accounts, services and the other attributes. They
/// live on the ordinary heap (not locked), yet leave nothing behind in freed memory. Equality and hashing are on bytes.
package struct WipedBytes: Hashable, Sendable {
    @safe private final class Storage: @unchecked Sendable {
        // @unchecked: written by `init` only, before anyone else can see it.
        let buffer: UnsafeMutableRawBufferPointer

        init(count: Int) {
            unsafe buffer = .allocate(byteCount: count, alignment: 1)
        }

        deinit {
            if let base = unsafe buffer.baseAddress { unsafe keyfob_zeroise(base, buffer.count) }
            unsafe buffer.deallocate()
        }
    }

    private let storage: Storage?

    /// No bytes, and no allocation.
    package init() {
        storage = nil
    }

    /// The bytes of `span`.
    package init(copying span: RawSpan) {
        guard span.byteCount > 0 else {
            storage = nil
            return
        }
        let made = Storage(count: span.byteCount)
        unsafe span.withUnsafeBytes { unsafe made.buffer.copyMemory(from: $0) }
        storage = made
    }

    /// The bytes of an array.
    package init(_ bytes: [UInt8]) {
        unsafe self.init(copying: bytes.span.bytes)
    }

    /// The UTF-8 of a string, without normalisation.
    package init(utf8 string: String) {
        unsafe self.init(copying: string.utf8Span.span.bytes)
    }

    /// `count` bytes that `body` writes, each of them, where they stay.
    package init(count: Int, writtenBy body: (UnsafeMutableRawBufferPointer) -> Void) {
        guard count > 0 else {
            storage = nil
            return
        }
        let made = Storage(count: count)
        unsafe body(made.buffer)
        storage = made
    }

    /// The number of bytes.
    package var count: Int { unsafe storage?.buffer.count ?? 0 }

    /// Lends the bytes for the time of `body`.
    package func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        unsafe try withUnsafeBytes { (bytes) throws(E) in
            let span = unsafe RawSpan(_unsafeBytes: bytes)
            return try body(span)
        }
    }

    /// Lends the bytes to a C function for the time of `body`.
    package func withUnsafeBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        guard let storage else { return unsafe try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        defer { withExtendedLifetime(storage) {} }
        return unsafe try body(UnsafeRawBufferPointer(storage.buffer))
    }

    /// The bytes as an array, which nobody wipes.
    package var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }

    /// The bytes as text, bytes that are no UTF-8 replaced.
    package var string: String { unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }

    package static func == (lhs: Self, rhs: Self) -> Bool {
        guard lhs.storage !== rhs.storage else { return true }
        return unsafe lhs.withUnsafeBytes { left in
            unsafe rhs.withUnsafeBytes { right in unsafe left.elementsEqual(right) }
        }
    }

    package func hash(into hasher: inout Hasher) {
        unsafe withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}
