// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobMemory
internal import KeyfobModel

extension MatchRequest {
    /// The request of a `SecItemCopyMatching` dictionary.
    ///
    /// - Throws: `.invalidParameter`, `.noSuchAttribute`, `.noSuchClass`, `.missingEntitlement`, `.unimplemented`.
    init(parsing dictionary: CFDictionary) throws(KeychainError) {
        let query = try QueryDictionary(dictionary, .copyMatching)
        guard !query.hasItemList else { throw query.invalid("u_ItemList") }
        if query.persistentReference != nil { try Self.refuseAttributes(query) }
        self.init(try ItemQuery(query), returns: query.returns, authenticationUI: query.authenticationUI)
        credentials = query.credentials
        for (key, value) in query.matches { try take(key, value, query) }
    }

    /// Whether the answer is an array, even of one.
    var wantsArray: Bool {
        switch limit {
        case .all: true
        case .count(let most): most > 1
        }
    }

    /// A reference names one item: beside it only "local or synchronizable, either" may stand.
    private static func refuseAttributes(_ query: QueryDictionary) throws(KeychainError) {
        for (name, value) in query.attributes {
            guard name == .synchronizable, value as? String == "syna" else { throw query.invalid(name.code) }
        }
    }

    private mutating func take(
        _ key: QueryKey.MatchKey, _ value: Any, _ dictionary: QueryDictionary
    ) throws(KeychainError) {
        switch key {
        case .limit: limit = try Self.limit(value, dictionary)
        case .host:
            guard query.itemClass == .internetPassword else { throw KeychainError(.unimplemented, .copyMatching) }
            guard let host = value as? String else { throw dictionary.invalid("m_HostOrSubdomainOfHost") }
            query.hostOrSubdomain = WipedBytes(utf8: host)
        case .issuers:
            // A value without one name in it is no filter.
            guard let names = value as? [Any], names.contains(where: { $0 is Data }) else { return }
            throw KeychainError(.unimplemented, .copyMatching)
        case .policy: throw dictionary.invalid("m_Policy")
        case .validOnDate:
            guard value is Date || value is NSNull else { throw dictionary.invalid("m_ValidOnDate") }
        case .trustedOnly:
            guard boolean(value) != nil else { throw dictionary.invalid("m_TrustedOnly") }
        case .emailAddress:
            guard value is String else { throw dictionary.invalid("m_EmailAddressIfPresent") }
        case .other: break
        }
    }

    private static func limit(_ value: Any, _ dictionary: QueryDictionary) throws(KeychainError) -> MatchLimit {
        if let word = value as? String {
            switch word {
            case "m_LimitOne": return .count(1)
            case "m_LimitAll": return .all
            default: throw dictionary.invalid("m_Limit")
            }
        }
        switch integer(value) {
        case -1: return .all
        case let most? where most >= 0: return .count(Int(most))
        default: throw dictionary.invalid("m_Limit")
        }
    }
}
