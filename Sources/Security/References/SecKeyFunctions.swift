// SPDX-License-Identifier: Apache-2.0
public import Foundation

// Source that names these functions compiles; each says that it is not implemented. No key can be had yet, so those
// that take one are never reached.

/// Where a function of keys puts its error.
public typealias SecErrorPlace = UnsafeMutablePointer<Unmanaged<CFError>?>

/// What a key is asked to do (SecKey.h).
public enum SecKeyOperationType: CFIndex, Sendable {
    /// Sign.
    case sign = 0
    /// Verify a signature.
    case verify = 1
    /// Encrypt.
    case encrypt = 2
    /// Decrypt.
    case decrypt = 3
    /// Agree on a secret.
    case keyExchange = 4
}

/// Not implemented: nil, with `errSecUnimplemented`.
public func SecKeyCreateRandomKey(_ parameters: CFDictionary, _ error: SecErrorPlace?) -> SecKey? {
    unsafe unimplemented(error)
}

/// Not implemented: nil, with `errSecUnimplemented`.
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: SecErrorPlace?
) -> SecKey? {
    unsafe unimplemented(error)
}

/// Not implemented: nil, with `errSecUnimplemented`.
public func SecKeyCopyExternalRepresentation(_ key: SecKey, _ error: SecErrorPlace?) -> CFData? {
    unsafe unimplemented(error)
}

/// Not implemented: nil.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? { nil }

/// Not implemented: nil.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { nil }

/// Not implemented: 0.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { 0 }

/// Not implemented: false.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    false
}

/// Not implemented: nil, with `errSecUnimplemented`.
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData, _ error: SecErrorPlace?
) -> CFData? {
    unsafe unimplemented(error)
}

/// Not implemented: false, with `errSecUnimplemented`.
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData, _ error: SecErrorPlace?
) -> Bool {
    let answer: NSNumber? = unsafe unimplemented(error)
    return answer != nil
}

/// Not implemented: nil, with `errSecUnimplemented`.
public func SecKeyCreateEncryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData, _ error: SecErrorPlace?
) -> CFData? {
    unsafe unimplemented(error)
}

/// Not implemented: nil, with `errSecUnimplemented`.
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData, _ error: SecErrorPlace?
) -> CFData? {
    unsafe unimplemented(error)
}

/// Not implemented: nil, with `errSecUnimplemented`.
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
    _ error: SecErrorPlace?
) -> CFData? {
    unsafe unimplemented(error)
}

/// The answer of a function that is not implemented: nothing, and `errSecUnimplemented` where the caller asked for it.
func unimplemented<Object: AnyObject>(_ error: SecErrorPlace?) -> Object? {
    if let error = unsafe error { unsafe error.pointee = .passRetained(NSError(status: errSecUnimplemented)) }
    return nil
}
