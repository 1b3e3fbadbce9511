// SPDX-License-Identifier: Apache-2.0
public import Foundation

// What a certificate says. Not implemented, and never reached, for no certificate can be had.

/// Not implemented: `errSecUnimplemented`.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    errSecUnimplemented
}

/// Not implemented: `errSecUnimplemented`.
@discardableResult
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    errSecUnimplemented
}

/// Not implemented: nil.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? { nil }

/// Not implemented: nil.
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? { nil }

/// Not implemented: nil, with `errSecUnimplemented`.
public func SecCertificateCopySerialNumberData(_ certificate: SecCertificate, _ error: SecErrorPlace?) -> CFData? {
    unsafe unimplemented(error)
}

/// Not implemented: nil.
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? { nil }

/// Not implemented: nil.
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? { nil }

/// Not implemented: nil.
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? { nil }
