// SPDX-License-Identifier: Apache-2.0
public import Foundation

// What is told to and asked of a `SecTrust` beside the judgement. Not implemented, and never reached, for none can be
// had: each says so.

/// Not implemented: `errSecUnimplemented`.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus { errSecUnimplemented }

/// Not implemented: `errSecUnimplemented`.
@discardableResult
public func SecTrustCopyPolicies(_ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    errSecUnimplemented
}

/// Not implemented: `errSecUnimplemented`.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
    errSecUnimplemented
}

/// Not implemented: `errSecUnimplemented`.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    errSecUnimplemented
}

/// Not implemented: `errSecUnimplemented`.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus { errSecUnimplemented }

/// Not implemented: `errSecUnimplemented`.
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus { errSecUnimplemented }

/// Not implemented: `errSecUnimplemented`.
@discardableResult
public func SecTrustSetOCSPResponse(_ trust: SecTrust, _ responseData: CFTypeRef?) -> OSStatus { errSecUnimplemented }

/// Not implemented: nil.
public func SecTrustCopyExceptions(_ trust: SecTrust) -> CFData? { nil }

/// Not implemented: false, and no exception is made.
@discardableResult
public func SecTrustSetExceptions(_ trust: SecTrust, _ exceptions: CFData?) -> Bool { false }

/// Not implemented: 0.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { 0 }

/// Not implemented: nil.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ ix: CFIndex) -> SecCertificate? { nil }

/// Not implemented: nil.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }

/// Not implemented: nil.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? { nil }

/// Not implemented: nil.
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { nil }

/// Not implemented: nil.
public func SecTrustCopyResult(_ trust: SecTrust) -> CFDictionary? { nil }
