// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport

/// Random parts of messages.
extension SeededRandom {
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func flag() -> Bool { Bool.random(using: &self) }

    /// One of them; the list is not empty.
    mutating func one<T>(of list: [T]) -> T { list[below(list.count)] }

    /// Something, or nothing, equally often.
    mutating func maybe<T>(_ make: (inout SeededRandom) throws -> T) rethrows -> T? { flag() ? try make(&self) : nil }

    /// Small, large and any, but not negative.
    mutating func count() -> Int { one(of: [0, 1, below(1000), Int(next() >> 1), .max]) }

    mutating func bytes(upTo most: Int = 40) -> [UInt8] {
        (0..<below(most + 1)).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    mutating func wiped() -> WipedBytes { WipedBytes(bytes()) }

    mutating func secret() throws -> SecretBytes { try SecretBytes(copying: bytes(upTo: one(of: [0, 20, 300, 5000]))) }

    mutating func text() -> String {
        one(of: ["", "a", "Schlüssel", "鍵\u{0}🔑", "e\u{301}", String(repeating: "x", count: below(300)), "\(next())"])
    }

    mutating func group() -> AccessGroup { flag() ? AccessGroup(text()) : AccessGroup(utf8: wiped()) }

    mutating func accessibility() -> Accessibility { one(of: Accessibility.allCases) }

    mutating func itemClass() -> ItemClass { one(of: ItemClass.allCases) }

    mutating func uuid() -> ItemUUID { ItemUUID((0..<16).map { _ in UInt8(truncatingIfNeeded: next()) }) ?? .zero }

    mutating func reference() -> PersistentReference { PersistentReference(itemClass: itemClass(), uuid: uuid()) }

    mutating func control() -> AccessControl {
        AccessControl(protection: accessibility(), flags: one(of: [0, 1, .max, next()]), hasRules: flag())
    }

    mutating func returns() -> ReturnFlags { ReturnFlags(rawValue: UInt8(below(16))) }

    mutating func attributeValue() -> AttributeValue {
        switch below(4) {
        case 0: .text(wiped())
        case 1: .data(wiped())
        case 2: .number(one(of: [0, -1, .min, .max, Int64(bitPattern: next())]))
        default: .date(one(of: [0, 1e300, -0.5, Double(next())]))
        }
    }

    mutating func attributes() -> AttributeSet {
        var set: AttributeSet = [:]
        for _ in 0..<below(one(of: [1, 5, 64])) {
            set[AttributeName(rawValue: UInt32(truncatingIfNeeded: next()))] = attributeValue()
        }
        return set
    }

    mutating func query() -> ItemQuery {
        ItemQuery(
            itemClass: itemClass(), attributes: attributes(), accessGroup: maybe { $0.group() },
            synchronizable: one(of: [.localOnly, .synchronizableOnly, .any]),
            accessibility: maybe { $0.accessibility() },
            persistentReference: maybe { $0.reference() }, hostOrSubdomain: maybe { $0.wiped() },
            textFilters: (0..<below(3)).map { _ in textFilter() })
    }

    private mutating func textFilter() -> TextFilter {
        TextFilter(
            maybe { $0.one(of: [.account, .service, .label]) }, one(of: [.equal, .startsWith, .endsWith, .contains]),
            WipedBytes(utf8: text()), ignoresCase: flag())
    }

    mutating func authenticationUI() -> AuthenticationUI { one(of: [.allow, .fail, .skip]) }

    mutating func token() -> TokenIdentity {
        TokenIdentity(label: text(), manufacturer: text(), model: text(), serial: text())
    }

    mutating func triesLeft() -> KeychainError.TriesLeft { one(of: [.unknown, .few, .one, .none]) }

    mutating func int32() -> Int32 { Int32(truncatingIfNeeded: next()) }
}
