// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

/// The items that a benchmarked keychain holds, by number: ten accounts a service, a label each, 32 bytes of value.
enum BenchItem {
    static func service(_ number: Int) -> String { "service-\(number / 10).example.org" }

    static func account(_ number: Int) -> String { "account-\(number)@example.org" }

    static func label(_ number: Int) -> String { "label of item \(number)" }

    static func value(_ number: Int) -> [UInt8] {
        (0..<32).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) }
    }

    /// The primary key.
    static func key(_ number: Int) -> AttributeSet {
        [.service: .text(service(number)), .account: .text(account(number))]
    }

    static func query(_ number: Int) -> ItemQuery {
        ItemQuery(itemClass: .genericPassword, attributes: key(number))
    }

    static func add(_ number: Int, to service: any KeychainService) throws {
        var attributes = key(number)
        attributes[.label] = .text(label(number))
        _ = try service.add(
            AddRequest(
                itemClass: .genericPassword, attributes: attributes, accessibility: .whenUnlocked,
                value: SecretBytes(copying: value(number))))
    }

    static func delete(_ number: Int, from service: any KeychainService) throws {
        try service.delete(DeleteRequest(query(number)))
    }
}
