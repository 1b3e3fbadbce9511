// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport

extension KeychainService {
    /// Adds a generic password.
    @discardableResult
    func add(
        _ service: String, account: String = "", value: [UInt8]? = [1, 2, 3],
        accessible: Accessibility = .whenUnlocked, returns: ReturnFlags = []
    ) throws -> MatchResult {
        var attributes: AttributeSet = [.service: .text(service)]
        if !account.isEmpty { attributes[.account] = .text(account) }
        let secret: SecretBytes? = if let value { try SecretBytes(copying: value) } else { nil }
        return try add(
            AddRequest(
                itemClass: .genericPassword, attributes: attributes, accessibility: accessible, value: secret,
                returns: returns))
    }

    /// The value of the first generic password of a service.
    func value(_ service: String, account: String? = nil) throws -> [UInt8]? {
        var attributes: AttributeSet = [.service: .text(service)]
        if let account { attributes[.account] = .text(account) }
        let result = try copyMatching(
            MatchRequest(ItemQuery(itemClass: .genericPassword, attributes: attributes), returns: .data))
        return result.withValue(of: result.items[0]) { $0?.array }
    }
}

/// The code of the error that `body` throws, or nil if it throws none.
func code(_ body: () throws -> Void) -> KeychainError.Code? {
    do {
        try body()
        return nil
    } catch let error as KeychainError {
        return error.code
    } catch {
        return .internalError
    }
}
