// SPDX-License-Identifier: Apache-2.0

// Source that names these functions compiles; identities are not implemented, and none can be had.

/// Not implemented: nil.
public func SecIdentityCreate(
    _ allocator: CFAllocator?, _ certificate: SecCertificate, _ privateKey: SecKey
) -> SecIdentity? {
    nil
}

/// Not implemented: `errSecUnimplemented`, and no identity.
@discardableResult
public func SecIdentityCreateWithCertificate(
    _ keychainOrArray: CFTypeRef?, _ certificateRef: SecCertificate,
    _ identityRef: UnsafeMutablePointer<SecIdentity?>
) -> OSStatus {
    errSecUnimplemented
}

/// Not implemented: `errSecUnimplemented`, and no certificate.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    errSecUnimplemented
}

/// Not implemented: `errSecUnimplemented`, and no key.
@discardableResult
public func SecIdentityCopyPrivateKey(
    _ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    errSecUnimplemented
}
