// SPDX-License-Identifier: Apache-2.0
// A table of constants (SecItem.h): key classes, types and sizes.
public import Foundation

/// A key class, type or size: `0`.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPublic: CFString = "0"

/// A key class, type or size: `1`.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPrivate: CFString = "1"

/// A key class, type or size: `2`.
@safe nonisolated(unsafe) public let kSecAttrKeyClassSymmetric: CFString = "2"

/// A key class, type or size: `42`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRSA: CFString = "42"

/// A key class, type or size: `73`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEC: CFString = "73"

/// A key class, type or size: `73`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"

/// A key class, type or size: `2147483678`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECSECPrimeRandomPKA: CFString = "2147483678"

/// A key class, type or size: `2147483679`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeSecureEnclaveAttestation: CFString = "2147483679"

/// A key class, type or size: `2147483680`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeSecureEnclaveAnonymousAttestation: CFString = "2147483680"

/// A key class, type or size: `105`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEd25519: CFString = "105"

/// A key class, type or size: `106`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeX25519: CFString = "106"

/// A key class, type or size: `107`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEd448: CFString = "107"

/// A key class, type or size: `108`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeX448: CFString = "108"

/// A key class, type or size: `109`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeKyber: CFString = "109"

/// A key class, type or size: `110`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeMLKEM: CFString = "110"

/// A key class, type or size: `111`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeMLDSA: CFString = "111"

/// A key class, type or size: `768`.
@safe nonisolated(unsafe) public let kSecAttrKeySizeKyber768: CFString = "768"

/// A key class, type or size: `1024`.
@safe nonisolated(unsafe) public let kSecAttrKeySizeKyber1024: CFString = "1024"

/// A key class, type or size: `768`.
@safe nonisolated(unsafe) public let kSecAttrKeySizeMLKEM768: CFString = "768"

/// A key class, type or size: `1024`.
@safe nonisolated(unsafe) public let kSecAttrKeySizeMLKEM1024: CFString = "1024"

/// A key class, type or size: `65`.
@safe nonisolated(unsafe) public let kSecAttrKeySizeMLDSA65: CFString = "65"

/// A key class, type or size: `87`.
@safe nonisolated(unsafe) public let kSecAttrKeySizeMLDSA87: CFString = "87"

/// Attributes of one half of a key pair: `private`.
@safe nonisolated(unsafe) public let kSecPrivateKeyAttrs: CFString = "private"

/// Attributes of one half of a key pair: `public`.
@safe nonisolated(unsafe) public let kSecPublicKeyAttrs: CFString = "public"
