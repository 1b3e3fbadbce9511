// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import KeyfobModel

/// Makes an access control object (SecAccessControl.h).
///
/// `protection` is one of the `kSecAttrAccessible…` constants. Without an `or` or `and` all constraints must be met.
///
/// - Returns: The object; nil with `errSecParam` in `error` if the protection is none of the constants or the flags
///   contradict each other: `or` with `and`, `biometryAny` with `biometryCurrentSet`, `userPresence` with anything but
///   `privateKeyUsage` and `applicationPassword`, a bit that has no meaning.
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    guard let code = protection as? NSString, let accessibility = Accessibility(code: code as String), flags.isLegal
    else {
        if let error = unsafe error { unsafe error.pointee = .passRetained(NSError(status: errSecParam)) }
        return nil
    }
    return SecAccessControl(
        AccessControl(protection: accessibility, flags: UInt64(flags.rawValue), hasRules: true))
}
