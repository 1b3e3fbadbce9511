// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobModel

/// What a key of a query dictionary is for, by its length and first character.
enum QueryKey: Hashable {
    /// Four characters: an attribute, if the class has it.
    case attribute(AttributeName)
    case itemClass
    case match(MatchKey)
    case returns(ReturnFlags)
    case use(UseKey)
    case valueData
    case valueReference
    case valuePersistentReference
    /// The framework's own callbacks.
    case ignored

    /// A filter on what was found; those without a case of their own are accepted and do nothing.
    enum MatchKey: Hashable {
        case limit, issuers, policy, validOnDate, trustedOnly, emailAddress, host, other
    }

    /// How a call is made.
    enum UseKey: Hashable {
        case itemList, authenticationUI, noAuthenticationUI, authenticationContext, credentialReference
        /// Known, and without effect here.
        case other
        /// Asks for a store that clients have no right to; harmless if false.
        case privileged
    }

    /// Dispatches a key.
    ///
    /// - Throws: `.noSuchAttribute` for a number, or four characters that name no attribute of any class;
    ///   `.invalidParameter` for everything else that is no key.
    init(_ key: Any, _ operation: KeychainError.Operation) throws(KeychainError) {
        guard let text = Self.text(key) else {
            throw KeychainError(key is NSNumber ? .noSuchAttribute : .invalidParameter, operation)
        }
        if let name = Self.name(text) {
            self = .attribute(name)
            return
        }
        let length = text.utf16.count
        if length == 4 { throw KeychainError(.noSuchAttribute, operation, subject: .parameter(text)) }
        guard length > 1, let known = Self.named(text) else {
            throw KeychainError(.invalidParameter, operation, subject: .parameter(text))
        }
        self = known
    }

    /// The key as a string, or nil if it is none.
    static func text(_ key: Any) -> String? {
        if let key = key as? NSString { return key as String }
        return key as? String
    }

    /// The attribute that a key of four ASCII characters names.
    static func name(_ text: String) -> AttributeName? {
        let bytes = text.utf8
        guard bytes.count == 4 else { return nil }
        var value: UInt32 = 0
        for byte in bytes {
            guard byte < 0x80 else { return nil }
            value = value << 8 | UInt32(byte)
        }
        return AttributeName(rawValue: value)
    }

    private static func named(_ text: String) -> QueryKey? {
        switch text.utf8.first {
        case UInt8(ascii: "c"): text == "class" ? .itemClass : nil
        case UInt8(ascii: "m"): .match(match(text))
        case UInt8(ascii: "r"): returns(text).map { .returns($0) }
        case UInt8(ascii: "u"): use(text).map { .use($0) }
        case UInt8(ascii: "v"): value(text)
        case UInt8(ascii: "f"): .ignored
        default: nil
        }
    }

    private static func match(_ text: String) -> MatchKey {
        switch text {
        case "m_Limit": .limit
        case "m_Issuers": .issuers
        case "m_Policy": .policy
        case "m_ValidOnDate": .validOnDate
        case "m_TrustedOnly": .trustedOnly
        case "m_EmailAddressIfPresent": .emailAddress
        case "m_HostOrSubdomainOfHost": .host
        default: .other
        }
    }

    private static func returns(_ text: String) -> ReturnFlags? {
        switch text {
        case "r_Data": .data
        case "r_Attributes": .attributes
        case "r_Ref": .reference
        case "r_PersistentRef": .persistentReference
        default: nil
        }
    }

    private static func use(_ text: String) -> UseKey? {
        switch text {
        case "u_ItemList": .itemList
        case "u_AuthUI": .authenticationUI
        case "u_NoAuthUI": .noAuthenticationUI
        case "u_AuthCtx": .authenticationContext
        case "u_CredRef": .credentialReference
        case "u_OpPrompt", "u_CallerName", "u_TokenRawItems", "u_CertWithIssuers", "u_UserIndependentKeychain": .other
        case "u_Tomb", "u_SystemKeychain", "u_SystemKeychainAlways", "u_SyncBubbleKeychain": .privileged
        default: nil
        }
    }

    private static func value(_ text: String) -> QueryKey? {
        switch text {
        case "v_Data": .valueData
        case "v_Ref": .valueReference
        case "v_PersistentRef": .valuePersistentReference
        default: nil
        }
    }
}
