// SPDX-License-Identifier: Apache-2.0
// A table of constants (SecItem.h): names that only macOS has.
public import Foundation

/// Known to macOS only: `acls`.
@safe nonisolated(unsafe) public let kSecAttrAccess: CFString = "acls"

/// Known to macOS only: `prf`.
@safe nonisolated(unsafe) public let kSecAttrPRF: CFString = "prf"

/// Known to macOS only: `salt`.
@safe nonisolated(unsafe) public let kSecAttrSalt: CFString = "salt"

/// Known to macOS only: `rounds`.
@safe nonisolated(unsafe) public let kSecAttrRounds: CFString = "rounds"

/// Known to macOS only: `m_SubjectStartsWith`.
@safe nonisolated(unsafe) public let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"

/// Known to macOS only: `m_SubjectEndsWith`.
@safe nonisolated(unsafe) public let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"

/// Known to macOS only: `m_SubjectWholeString`.
@safe nonisolated(unsafe) public let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"

/// Known to macOS only: `m_DiacriticInsensitive`.
@safe nonisolated(unsafe) public let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"

/// Known to macOS only: `m_WidthInsensitive`.
@safe nonisolated(unsafe) public let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"

/// Known to macOS only: `u_Keychain`.
@safe nonisolated(unsafe) public let kSecUseKeychain: CFString = "u_Keychain"

/// Known to macOS only: `14`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeDES: CFString = "14"

/// Known to macOS only: `17`.
@safe nonisolated(unsafe) public let kSecAttrKeyType3DES: CFString = "17"

/// Known to macOS only: `23`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRC2: CFString = "23"

/// Known to macOS only: `25`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRC4: CFString = "25"

/// Known to macOS only: `43`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeDSA: CFString = "43"

/// Known to macOS only: `56`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeCAST: CFString = "56"

/// Known to macOS only: `73`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECDSA: CFString = "73"

/// Known to macOS only: `2147483649`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeAES: CFString = "2147483649"

/// Known to macOS only: `hsha1`.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA1: CFString = "hsha1"

/// Known to macOS only: `hsha224`.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA224: CFString = "hsha224"

/// Known to macOS only: `hsha256`.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA256: CFString = "hsha256"

/// Known to macOS only: `hsha384`.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA384: CFString = "hsha384"

/// Known to macOS only: `hsha512`.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA512: CFString = "hsha512"

/// Known to macOS only: `symmetric`.
@safe nonisolated(unsafe) public let kSecSymmetricKeyAttrs: CFString = "symmetric"
