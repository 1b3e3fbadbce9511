// SPDX-License-Identifier: Apache-2.0
public import Foundation

// The calls of SecKey.h that take buffers. Source that names them compiles; each says that it is not implemented, and
// touches no buffer.

/// How data is padded before an RSA operation (SecKey.h).
public struct SecPadding: OptionSet, Hashable, Sendable {
    /// The number of the padding.
    public let rawValue: UInt32

    /// The padding with that number; 0 is none.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// PKCS #1.
    public static let PKCS1 = Self(rawValue: 1)
    /// OAEP.
    public static let OAEP = Self(rawValue: 2)
    /// An elliptic-curve signature as two numbers without DER.
    public static let sigRaw = Self(rawValue: 0x4000)
    /// PKCS #1 around an MD2 digest.
    public static let PKCS1MD2 = Self(rawValue: 0x8000)
    /// PKCS #1 around an MD5 digest.
    public static let PKCS1MD5 = Self(rawValue: 0x8001)
    /// PKCS #1 around a SHA-1 digest.
    public static let PKCS1SHA1 = Self(rawValue: 0x8002)
    /// PKCS #1 around a SHA-224 digest.
    public static let PKCS1SHA224 = Self(rawValue: 0x8003)
    /// PKCS #1 around a SHA-256 digest.
    public static let PKCS1SHA256 = Self(rawValue: 0x8004)
    /// PKCS #1 around a SHA-384 digest.
    public static let PKCS1SHA384 = Self(rawValue: 0x8005)
    /// PKCS #1 around a SHA-512 digest.
    public static let PKCS1SHA512 = Self(rawValue: 0x8006)
}

/// Not implemented: `errSecUnimplemented`, and no keys.
@discardableResult
public func SecKeyGeneratePair(
    _ parameters: CFDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?,
    _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
    errSecUnimplemented
}

/// Not implemented: `errSecUnimplemented`.
@discardableResult
public func SecKeyRawSign(
    _ key: SecKey, _ padding: SecPadding, _ dataToSign: UnsafePointer<UInt8>, _ dataToSignLen: Int,
    _ sig: UnsafeMutablePointer<UInt8>, _ sigLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    errSecUnimplemented
}

/// Not implemented: `errSecUnimplemented`; no signature is ever found good.
@discardableResult
public func SecKeyRawVerify(
    _ key: SecKey, _ padding: SecPadding, _ signedData: UnsafePointer<UInt8>, _ signedDataLen: Int,
    _ sig: UnsafePointer<UInt8>, _ sigLen: Int
) -> OSStatus {
    errSecUnimplemented
}

/// Not implemented: `errSecUnimplemented`.
@discardableResult
public func SecKeyEncrypt(
    _ key: SecKey, _ padding: SecPadding, _ plainText: UnsafePointer<UInt8>, _ plainTextLen: Int,
    _ cipherText: UnsafeMutablePointer<UInt8>, _ cipherTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    errSecUnimplemented
}

/// Not implemented: `errSecUnimplemented`.
@discardableResult
public func SecKeyDecrypt(
    _ key: SecKey, _ padding: SecPadding, _ cipherText: UnsafePointer<UInt8>, _ cipherTextLen: Int,
    _ plainText: UnsafeMutablePointer<UInt8>, _ plainTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    errSecUnimplemented
}
