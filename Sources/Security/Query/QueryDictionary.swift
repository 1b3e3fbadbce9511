// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobMemory
internal import KeyfobModel

/// A query dictionary after its one walk: every key dispatched, attribute values not yet looked at, for they depend on
/// the class, which may come last.
struct QueryDictionary {
    let operation: KeychainError.Operation
    private(set) var attributes: [(name: AttributeName, value: Any)] = []
    private(set) var matches: [(key: QueryKey.MatchKey, value: Any)] = []
    private(set) var returns: ReturnFlags = []
    private(set) var value: Any?
    private(set) var persistentReference: PersistentReference?
    private(set) var hasItemList = false
    private(set) var authenticationUI = AuthenticationUI.allow
    /// What the context holds for items that need a person or a password; nil: nothing.
    private(set) var credentials: Credentials?
    private var givenClass: ItemClass?
    private var valueReference: Any?
    private var hasContext = false
    private var hasCredentialReference = false

    /// Walks the dictionary.
    ///
    /// - Throws: `.invalidParameter`, `.noSuchAttribute`, `.noSuchClass`, `.missingEntitlement` (a store that clients
    ///   have no right to) for the first key that is at fault, in no particular order.
    init(_ dictionary: CFDictionary, _ operation: KeychainError.Operation) throws(KeychainError) {
        self.operation = operation
        var keys: [Any] = []
        var values: [Any] = []
        keys.reserveCapacity(dictionary.count)
        values.reserveCapacity(dictionary.count)
        dictionary.getObjects(&values, andKeys: &keys, count: dictionary.count)
        attributes.reserveCapacity(keys.count)
        for (key, value) in zip(keys, values) {
            try take(QueryKey(key, operation), value)
        }
        guard !(hasContext && hasCredentialReference) else { throw invalid("u_CredRef") }
    }

    /// The class that the query is about.
    ///
    /// - Throws: `.invalidParameter` if neither class nor reference names one, `.noSuchClass` if they name two,
    ///   `.unimplemented` for certificates, keys and identities.
    func itemClass() throws(KeychainError) -> ItemClass {
        if let valueReference {
            let isKnown = valueReference is SecKey || valueReference is SecCertificate || valueReference is SecIdentity
            throw isKnown ? KeychainError(.unimplemented, operation) : invalid("v_Ref")
        }
        guard let found = givenClass ?? persistentReference?.itemClass else { throw invalid("class") }
        if let referred = persistentReference?.itemClass, referred != found {
            throw KeychainError(.noSuchClass, operation, subject: .parameter("v_PersistentRef"))
        }
        switch found {
        case .genericPassword, .internetPassword: return found
        case .certificate, .key, .identity: throw KeychainError(.unimplemented, operation, subject: .parameter("class"))
        }
    }

    /// The error for a key whose value is not legal here.
    func invalid(_ key: String) -> KeychainError {
        KeychainError(.invalidParameter, operation, subject: .parameter(key))
    }

    // MARK: - The walk

    private mutating func take(_ key: QueryKey, _ value: Any) throws(KeychainError) {
        if type(of: value) == NSNull.self, key != .match(.validOnDate) {
            throw KeychainError(.invalidParameter, operation)
        }
        switch key {
        case .attribute(.noLegacy), .ignored: break
        case .attribute(let name): attributes.append((name, value))
        case .itemClass: givenClass = try parsedClass(value)
        case .match(let match): matches.append((match, value))
        case .returns(let flag):
            guard let isOn = boolean(value) else { throw invalid("r_") }
            if isOn { returns.insert(flag) }
        case .use(let use): try take(use, value)
        case .valueData: self.value = value
        case .valueReference: valueReference = value
        case .valuePersistentReference:
            guard let bytes = value as? Data, let reference = PersistentReference(bytes: Array(bytes)) else {
                throw invalid("v_PersistentRef")
            }
            persistentReference = reference
        }
    }

    private func parsedClass(_ value: Any) throws(KeychainError) -> ItemClass {
        guard let code = value as? String else { throw invalid("class") }
        guard let itemClass = ItemClass(code: code) else {
            throw KeychainError(.noSuchClass, operation, subject: .parameter("class"))
        }
        return itemClass
    }

    private mutating func take(_ use: QueryKey.UseKey, _ value: Any) throws(KeychainError) {
        switch use {
        case .itemList: hasItemList = true
        case .credentialReference: hasCredentialReference = true
        case .noAuthenticationUI where boolean(value) == true: forbidUI()
        case .authenticationUI:
            switch value as? String {
            case "u_AuthUIF": forbidUI()
            case "u_AuthUIS": authenticationUI = .skip
            default: break
            }
        case .authenticationContext:
            guard let context = value as? any AuthenticationContext else { throw invalid("u_AuthCtx") }
            hasContext = true
            if context.interactionNotAllowed { forbidUI() }
            credentials = try Self.credentials(of: context, operation)
        case .privileged where boolean(value) != false: throw KeychainError(.missingEntitlement, operation)
        case .privileged, .noAuthenticationUI, .other: break
        }
    }

    /// An empty credential is none: no token has such a PIN, and such a password keeps nobody out.
    private static func credentials(
        of context: any AuthenticationContext, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> Credentials? {
        do throws(SecretMemoryError) {
            var pin = try context.copyPIN()
            var password = try context.copyApplicationPassword()
            if isEmpty(pin) { pin = nil }
            if isEmpty(password) { password = nil }
            guard pin != nil || password != nil else { return nil }
            return Credentials(pin: pin.take(), applicationPassword: password.take())
        } catch {
            throw KeychainError(error, operation)
        }
    }

    private static func isEmpty(_ secret: borrowing SecretBytes?) -> Bool {
        switch secret {
        case .some(let secret): secret.isEmpty
        case .none: true
        }
    }

    /// Skipping is the stronger wish: it never shows anything either.
    private mutating func forbidUI() {
        if authenticationUI == .allow { authenticationUI = .fail }
    }
}
