// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims

/// Secret bytes with one owner: held in a `SecretArena`, wiped when the owner lets go.
///
/// A value cannot be copied, printed or interpolated; a second copy comes only from `copy()`. Empty is legal: SecItem
/// stores empty data. It may move between threads.
package struct SecretBytes: ~Copyable, Sendable {
    /// The number of bytes.
    package private(set) var count: Int
    private let slot: SecretArena.Slot
    private let arena: SecretArena

    /// Zeros.
    ///
    /// - Throws: `SecretMemoryError` as `SecretArena.allocate` does.
    package init(count: Int, arena: SecretArena = .shared) throws(SecretMemoryError) {
        self.count = count
        self.slot = try arena.allocate(count)
        self.arena = arena
    }

    /// The bytes of `span`, whose owner still has to wipe them.
    package init(copying span: RawSpan, arena: SecretArena = .shared) throws(SecretMemoryError) {
        try self.init(count: span.byteCount, arena: arena)
        unsafe span.withUnsafeBytes { source in
            guard let base = source.baseAddress else { return }
            unsafe slot.address.copyMemory(from: base, byteCount: source.count)
        }
    }

    /// The bytes of an array that is no secret of ours (a literal in a test, a caller's buffer).
    package init(copying bytes: [UInt8], arena: SecretArena = .shared) throws(SecretMemoryError) {
        unsafe try self.init(copying: bytes.span.bytes, arena: arena)
    }

    /// As many bytes as `body` says it wrote into the zero-filled buffer of `capacity` bytes that it is lent.
    package static func filling<E: Error>(
        capacity: Int, arena: SecretArena = .shared,
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(SecretMemoryOr<E>) -> SecretBytes {
        var made = try allocated(capacity, arena, as: SecretMemoryOr<E>.self)
        do {
            let written = unsafe try made.withUnsafeMutableBytes(body)
            made.truncate(to: written)
        } catch {
            throw .other(error)
        }
        return made
    }

    private static func allocated<E: Error>(
        _ count: Int, _ arena: SecretArena, as error: SecretMemoryOr<E>.Type
    ) throws(SecretMemoryOr<E>) -> SecretBytes {
        do { return try SecretBytes(count: count, arena: arena) } catch { throw .memory(error) }
    }

    deinit {
        arena.release(slot)
    }

    /// Whether the kernel keeps the bytes in RAM.
    package var isLocked: Bool { slot.isLocked }

    /// Whether there are no bytes.
    package var isEmpty: Bool { count == 0 }

    /// Lends the bytes for the time of `body`.
    package func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        let span = unsafe RawSpan(_unsafeStart: slot.address, byteCount: count)
        return try body(span)
    }

    /// Lends the bytes to a C function for the time of `body`; the pointer must not outlive it.
    package func withUnsafeBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        unsafe try body(UnsafeRawBufferPointer(start: slot.address, count: count))
    }

    /// Lends the bytes to a C function that writes them; the pointer must not outlive `body`.
    package mutating func withUnsafeMutableBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        unsafe try body(UnsafeMutableRawBufferPointer(start: slot.address, count: count))
    }

    /// Shortens to `newCount` bytes and wipes the rest.
    package mutating func truncate(to newCount: Int) {
        precondition(newCount >= 0 && newCount <= count, "a secret cannot grow by truncating it")
        unsafe keyfob_zeroise(slot.address + newCount, count - newCount)
        count = newCount
    }

    /// A second owner of equal bytes.
    package func copy() throws(SecretMemoryError) -> SecretBytes {
        try withBytes { (span) throws(SecretMemoryError) in try SecretBytes(copying: span, arena: arena) }
    }
}

/// The error of a call that allocates secret memory and then does something that may fail in its own way.
package enum SecretMemoryOr<Other: Error>: Error {
    /// The memory could not be had; nothing else was tried.
    case memory(SecretMemoryError)
    /// The call failed; the memory is wiped.
    case other(Other)
}
