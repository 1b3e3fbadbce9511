// SPDX-License-Identifier: Apache-2.0
// A table of constants (SecItem.h): the match, return, value and use keys of a query.
public import Foundation

/// A filter on what was found: `m_Policy`.
@safe nonisolated(unsafe) public let kSecMatchPolicy: CFString = "m_Policy"

/// A filter on what was found: `m_ItemList`.
@safe nonisolated(unsafe) public let kSecMatchItemList: CFString = "m_ItemList"

/// A filter on what was found: `m_SearchList`.
@safe nonisolated(unsafe) public let kSecMatchSearchList: CFString = "m_SearchList"

/// A filter on what was found: `m_Issuers`.
@safe nonisolated(unsafe) public let kSecMatchIssuers: CFString = "m_Issuers"

/// A filter on what was found: `m_EmailAddressIfPresent`.
@safe nonisolated(unsafe) public let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"

/// A filter on what was found: `m_SubjectContains`.
@safe nonisolated(unsafe) public let kSecMatchSubjectContains: CFString = "m_SubjectContains"

/// A filter on what was found: `m_HostOrSubdomainOfHost`.
@safe nonisolated(unsafe) public let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"

/// A filter on what was found: `m_CaseInsensitive`.
@safe nonisolated(unsafe) public let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"

/// A filter on what was found: `m_TrustedOnly`.
@safe nonisolated(unsafe) public let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"

/// A filter on what was found: `m_ValidOnDate`.
@safe nonisolated(unsafe) public let kSecMatchValidOnDate: CFString = "m_ValidOnDate"

/// A filter on what was found: `m_Limit`.
@safe nonisolated(unsafe) public let kSecMatchLimit: CFString = "m_Limit"

/// A value of `kSecMatchLimit`: `m_LimitOne`.
@safe nonisolated(unsafe) public let kSecMatchLimitOne: CFString = "m_LimitOne"

/// A value of `kSecMatchLimit`: `m_LimitAll`.
@safe nonisolated(unsafe) public let kSecMatchLimitAll: CFString = "m_LimitAll"

/// What to return: `r_Data`.
@safe nonisolated(unsafe) public let kSecReturnData: CFString = "r_Data"

/// What to return: `r_Attributes`.
@safe nonisolated(unsafe) public let kSecReturnAttributes: CFString = "r_Attributes"

/// What to return: `r_Ref`.
@safe nonisolated(unsafe) public let kSecReturnRef: CFString = "r_Ref"

/// What to return: `r_PersistentRef`.
@safe nonisolated(unsafe) public let kSecReturnPersistentRef: CFString = "r_PersistentRef"

/// A value given: `v_Data`.
@safe nonisolated(unsafe) public let kSecValueData: CFString = "v_Data"

/// A value given: `v_Ref`.
@safe nonisolated(unsafe) public let kSecValueRef: CFString = "v_Ref"

/// A value given: `v_PersistentRef`.
@safe nonisolated(unsafe) public let kSecValuePersistentRef: CFString = "v_PersistentRef"

/// How the call is made: `u_ItemList`.
@safe nonisolated(unsafe) public let kSecUseItemList: CFString = "u_ItemList"

/// How the call is made: `u_Tomb`.
@safe nonisolated(unsafe) public let kSecUseTombstones: CFString = "u_Tomb"

/// How the call is made: `u_CredRef`.
@safe nonisolated(unsafe) public let kSecUseCredentialReference: CFString = "u_CredRef"

/// How the call is made: `u_OpPrompt`.
@safe nonisolated(unsafe) public let kSecUseOperationPrompt: CFString = "u_OpPrompt"

/// How the call is made: `u_NoAuthUI`.
@safe nonisolated(unsafe) public let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"

/// How the call is made: `u_AuthUI`.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUI: CFString = "u_AuthUI"

/// How the call is made: `u_SystemKeychainAlways`.
@safe nonisolated(unsafe) public let kSecUseSystemKeychainAlways: CFString = "u_SystemKeychainAlways"

/// How the call is made: `u_SystemKeychain`.
@safe nonisolated(unsafe) public let kSecUseSystemKeychain: CFString = "u_SystemKeychain"

/// How the call is made: `u_SyncBubbleKeychain`.
@safe nonisolated(unsafe) public let kSecUseSyncBubbleKeychain: CFString = "u_SyncBubbleKeychain"

/// How the call is made: `u_CallerName`.
@safe nonisolated(unsafe) public let kSecUseCallerName: CFString = "u_CallerName"

/// How the call is made: `u_TokenRawItems`.
@safe nonisolated(unsafe) public let kSecUseTokenRawItems: CFString = "u_TokenRawItems"

/// How the call is made: `u_CertWithIssuers`.
@safe nonisolated(unsafe) public let kSecUseCertificatesWithMatchIssuers: CFString = "u_CertWithIssuers"

/// How the call is made: `nleg`.
@safe nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString = "nleg"

/// How the call is made: `u_UserIndependentKeychain`.
@safe nonisolated(unsafe) public let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"

/// How the call is made: `u_AuthUIA`.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"

/// How the call is made: `u_AuthUIF`.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"

/// How the call is made: `u_AuthUIS`.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"

/// How the call is made: `u_AuthCtx`.
@safe nonisolated(unsafe) public let kSecUseAuthenticationContext: CFString = "u_AuthCtx"

/// The member of a shared web credential that holds its password: `spwd`.
@safe nonisolated(unsafe) public let kSecSharedPassword: CFString = "spwd"
