// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport

/// What a program does with a keychain, on an item of the class `accessible`.
enum KeychainCall: String, CaseIterable {
    case add
    case copyValue
    case copyAttributes
    case update
    case delete

    /// Puts in place what the call needs.
    func prepare(_ service: any KeychainService, _ accessible: Accessibility) throws {
        guard self != .add else { return }
        try Self.add(service, name(accessible), accessible)
    }

    /// Makes the call.
    func make(_ service: any KeychainService, _ accessible: Accessibility) throws {
        let name = name(accessible)
        switch self {
        case .add: try Self.add(service, name, accessible)
        case .copyValue: _ = try Self.value(service, name)
        case .copyAttributes:
            _ = try service.copyMatching(MatchRequest(Self.query(name), returns: .attributes))
        case .update: try Self.update(service, name, [9])
        case .delete: try service.delete(DeleteRequest(Self.query(name)))
        }
    }

    /// What the item of the call is called.
    func name(_ accessible: Accessibility) -> String { "\(rawValue) \(accessible.code)" }

    // MARK: - Items

    static func query(_ name: String) -> ItemQuery {
        ItemQuery(itemClass: .genericPassword, attributes: [.service: .text(name)])
    }

    static func add(
        _ service: any KeychainService, _ name: String, _ accessible: Accessibility = .whenUnlocked,
        value: [UInt8] = [1, 2, 3]
    ) throws {
        _ = try service.add(
            AddRequest(
                itemClass: .genericPassword, attributes: [.service: .text(name)], accessibility: accessible,
                value: try SecretBytes(copying: value)))
    }

    static func value(_ service: any KeychainService, _ name: String) throws -> [UInt8]? {
        let result = try service.copyMatching(MatchRequest(query(name), returns: .data))
        return result.withValue(of: result.items[0]) { $0?.array }
    }

    static func update(_ service: any KeychainService, _ name: String, _ value: [UInt8]) throws {
        try service.update(UpdateRequest(query(name), value: try SecretBytes(copying: value)))
    }
}
