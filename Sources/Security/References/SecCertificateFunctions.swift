// SPDX-License-Identifier: Apache-2.0
public import Foundation

// Source that names these functions compiles; certificates are not implemented.

/// Not implemented: nil, as for data that is no certificate.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { nil }

/// Not implemented, and never reached, for no certificate can be had: no bytes.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { NSData() }

/// Not implemented: nil.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? { nil }

/// Not implemented: nil.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { nil }

/// Not implemented: `errSecUnimplemented`.
@discardableResult
public func SecPKCS12Import(
    _ pkcs12Data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    errSecUnimplemented
}

/// The option that holds the passphrase of a PKCS #12 file.
@safe nonisolated(unsafe) public let kSecImportExportPassphrase: CFString = "passphrase"

/// The member of an imported item that holds its identity.
@safe nonisolated(unsafe) public let kSecImportItemIdentity: CFString = "identity"

/// The member of an imported item that holds its label.
@safe nonisolated(unsafe) public let kSecImportItemLabel: CFString = "label"

/// The member of an imported item that holds the digest of its public key.
@safe nonisolated(unsafe) public let kSecImportItemKeyID: CFString = "keyid"

/// The member of an imported item that holds its trust object.
@safe nonisolated(unsafe) public let kSecImportItemTrust: CFString = "trust"

/// The member of an imported item that holds its certificates.
@safe nonisolated(unsafe) public let kSecImportItemCertChain: CFString = "chain"
