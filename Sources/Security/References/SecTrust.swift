// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A chain of certificates that is to be judged.
///
/// Nothing makes one yet: the type is here so that source that names it compiles.
public final class SecTrust: Hashable, Sendable {
    init() {}

    /// Whether both are the same object.
    public static func == (left: SecTrust, right: SecTrust) -> Bool { left === right }

    /// Mixes the object's identity in.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What came of judging a chain (SecTrust.h); here always `invalid`, which is "not judged".
public enum SecTrustResultType: UInt32, Sendable {
    /// Not judged.
    case invalid = 0
    /// The user trusts it.
    case proceed = 1
    /// The user wants to be asked.
    case confirm = 2
    /// The user does not trust it.
    case deny = 3
    /// It is good, and the user has not said anything about it.
    case unspecified = 4
    /// It is bad, in a way that the user may overlook.
    case recoverableTrustFailure = 5
    /// It is bad.
    case fatalTrustFailure = 6
    /// It could not be judged.
    case otherError = 7
}

// Source that names these functions compiles. None of them ever says that a chain is to be trusted.

/// Not implemented: `errSecUnimplemented`, and no object.
@discardableResult
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    errSecUnimplemented
}

/// Not implemented: false, with `errSecUnimplemented`.
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    if let error = unsafe error { unsafe error.pointee = NSError(status: errSecUnimplemented) }
    return false
}

/// Not implemented: `errSecUnimplemented`, and the result `invalid`.
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    unsafe result.pointee = .invalid
    return errSecUnimplemented
}

/// Not implemented: `errSecUnimplemented`, and the result `invalid`.
@discardableResult
public func SecTrustGetTrustResult(
    _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
    unsafe result.pointee = .invalid
    return errSecUnimplemented
}
