// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security

/// Makes calls over few names, so that they meet: keys collide, filters match, groups overlap.
struct RandomCalls {
    enum Call {
        case add(Query)
        case copy(Query)
        case update(Query, Query)
        case delete(Query)
        case lock
        case unlock
    }

    private var random: SeededRandom
    private let groups: [String]
    private let foreignGroup: String
    /// References that were handed out, those of deleted items included.
    var references: [Data] = []

    init(_ random: SeededRandom, groups: [String], foreignGroup: String) {
        self.random = random
        self.groups = groups
        self.foreignGroup = foreignGroup
    }

    /// The next call.
    mutating func next() -> Call {
        switch random.next() % 100 {
        case ..<40: .add(item())
        case ..<68: .copy(copyQuery())
        case ..<84: .update(query(), changes())
        case ..<94: .delete(query())
        case ..<96: .lock
        default: .unlock
        }
    }

    // MARK: - Dictionaries

    private mutating func item() -> Query {
        var item = description(sparse: false)
        item[kSecValueData] = one(of: [nil, Data(), bytes("one"), bytes("two"), Data(repeating: 9, count: 5000)])
        item[kSecAttrAccessControl] = chance(5) ? rules(one(of: [kSecAttrAccessibleWhenUnlocked])) : nil
        item.merge(returnKeys()) { _, new in new }
        return item
    }

    private mutating func copyQuery() -> Query {
        var query = query()
        query[kSecMatchLimit] = one(of: [
            nil, nil, kSecMatchLimitOne, kSecMatchLimitAll, kSecMatchLimitAll, 2, 3, 0, -1, -2,
        ])
        query.merge(returnKeys()) { _, new in new }
        if let itemClass = query[kSecClass] as? String, chance(itemClass == "inet" ? 20 : 6) {
            query[kSecMatchHostOrSubdomainOfHost] = one(of: ["a.org", "org", "www.a.org"])
        }
        return query
    }

    private mutating func query() -> Query {
        if chance(12), let reference = references.randomElement(using: &random) {
            return chance(80)
                ? [kSecValuePersistentRef: reference]
                : [
                    kSecValuePersistentRef: reference, kSecAttrService: "s",
                ]
        }
        return description(sparse: true)
    }

    private mutating func changes() -> Query {
        var changes = description(sparse: true)
        changes[kSecClass] = nil
        changes[kSecValueData] = one(of: [nil, nil, Data(), bytes("new")])
        changes[kSecAttrAccessControl] = chance(5) ? rules(kSecAttrAccessibleAlways) : nil
        return changes
    }

    /// Class and attributes; a sparse one leaves most of them out.
    private mutating func description(sparse: Bool) -> Query {
        let percent = sparse ? 30 : 70
        let isGeneric = chance(60)
        var query: Query = [kSecClass: isGeneric ? kSecClassGenericPassword : kSecClassInternetPassword]
        put(kSecAttrAccount, ["", "a", "b", Data("a".utf8), 5], percent, &query)
        if isGeneric {
            put(kSecAttrService, ["", "s", "t", Data("s".utf8)], percent, &query)
            put(kSecAttrGeneric, ["g", Data([1])], 15, &query)
        } else {
            put(kSecAttrServer, ["a.org", "www.a.org", Data("a.org".utf8)], percent, &query)
            put(kSecAttrPort, [0, 80, "80", 443], percent / 2, &query)
            put(kSecAttrProtocol, [0, "http"], 15, &query)
        }
        put(kSecAttrLabel, ["", "l", "m"], percent / 2, &query)
        put(kSecAttrIsInvisible, [true, false, 1], 10, &query)
        put(kSecAttrSyncViewHint, ["v", ""], 5, &query)
        put(kSecAttrAccessGroup, groups, 25, &query)
        put(kSecAttrAccessGroup, [foreignGroup], 2, &query)
        put(kSecAttrSynchronizable, [true, false, 1, kSecAttrSynchronizableAny], 30, &query)
        put(kSecAttrAccessible, ["ak", "ck", "dk", "aku", "dku"], sparse ? 15 : 50, &query)
        return query
    }

    private mutating func returnKeys() -> Query {
        var keys: Query = [:]
        for key in [kSecReturnData, kSecReturnAttributes, kSecReturnPersistentRef] where chance(45) { keys[key] = true }
        if chance(10) { keys[kSecReturnRef] = true }
        return keys
    }

    // MARK: - Choices

    private mutating func chance(_ percent: Int) -> Bool { random.next() % 100 < UInt64(percent) }

    private mutating func one<T>(of values: [T]) -> T { values[Int(random.next() % UInt64(values.count))] }

    private mutating func put(_ key: CFString, _ values: [Any], _ percent: Int, _ query: inout Query) {
        if chance(percent) { query[key] = one(of: values) }
    }
}
