// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A source of random bytes; there is one, the kernel's.
public typealias SecRandomRef = OpaquePointer

/// The kernel's random bytes.
@safe nonisolated(unsafe) public let kSecRandomDefault: SecRandomRef? = nil

/// Fills `bytes` with `count` random bytes of the kernel (arc4random_buf(3)); blocks only early in the machine's boot.
///
/// - Returns: 0; `errSecParam` for another generator than `kSecRandomDefault` or a negative count, and then the bytes
///   are not random and must not be used.
@discardableResult
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    guard unsafe rnd == nil, count >= 0 else { return errSecParam }
    unsafe arc4random_buf(bytes, count)
    return errSecSuccess
}
