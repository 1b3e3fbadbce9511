// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The number of bytes.
public func CFDataGetLength(_ data: CFData) -> CFIndex { data.length }

/// Where the bytes are; valid as long as `data` lives.
public func CFDataGetBytePtr(_ data: CFData) -> UnsafePointer<UInt8>! {
    unsafe data.bytes.assumingMemoryBound(to: UInt8.self)
}

/// An object around bytes that it does not copy.
///
/// With `kCFAllocatorNull` the bytes stay the caller's and must outlive the object; with any other the object frees
/// them with `free`.
public func CFDataCreateWithBytesNoCopy(
    _ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>?, _ length: CFIndex, _ bytesDeallocator: CFAllocator?
) -> CFData! {
    guard let bytes = unsafe bytes, length > 0 else { return length == 0 ? NSData() : nil }
    let mine = unsafe UnsafeMutableRawPointer(mutating: bytes)
    return unsafe NSData(bytesNoCopy: mine, length: length, freeWhenDone: bytesDeallocator !== kCFAllocatorNull)
}
