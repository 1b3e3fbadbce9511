// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

/// Locked rows among others; every row has a keychain of its own because it locks it.
@Suite(.lendsTokens) struct LockedTests {
    @Test(arguments: Mode.allCases, copyRows + changeRows)
    func `Every row of section 6 9 holds`(mode: Mode, row: Row) throws {
        try row.run(mode, on: mode.makeKeychain())
    }

    private static func lock() throws {
        guard let sandbox = Sandbox.current else { throw NoSandbox() }
        try sandbox.keychain.lock()
    }

    /// An item that stays readable, then one that gets locked, or the other way round; then locks.
    private static func prepare(lockedFirst: Bool) throws {
        let open = password("open", [kSecAttrAccessible: "ck"])
        let locked = password("locked", [kSecAttrAccessible: "ak"])
        for item in lockedFirst ? [locked, open] : [open, locked] { add(item) }
        try lock()
    }

    private static let copyRows: [Row] = [
        Row("6.9 limit all, one of two locked: no partial result") {
            for lockedFirst in [true, false] {
                delete(genp())
                guard let keychain = Sandbox.current?.keychain else { throw NoSandbox() }
                try keychain.unlock()
                try prepare(lockedFirst: lockedFirst)
                for keys in [[], [kSecReturnData], [kSecReturnAttributes], [kSecReturnPersistentRef]] {
                    var query = genp([kSecMatchLimit: kSecMatchLimitAll])
                    for key in keys { query[key] = true }
                    let answer = copying(query)
                    #expect(answer.status == errSecInteractionNotAllowed && answer.object == nil)
                }
            }
        },
        Row("6.9 a number limit that reaches the locked one", gives: errSecInteractionNotAllowed) {
            try prepare(lockedFirst: false)
            return copying(genp([kSecMatchLimit: 2, kSecReturnData: true])).status
        },
        Row("6.9 limit one and the first is readable") {
            try prepare(lockedFirst: false)
            #expect(value(genp()) == "open")
            #expect(find(genp()) == errSecSuccess)
        },
        Row("6.9 limit one and the first is locked", gives: errSecInteractionNotAllowed) {
            try prepare(lockedFirst: true)
            return find(genp())
        },
        Row("6.9 a query that means the readable one alone") {
            try prepare(lockedFirst: true)
            #expect(value(genp([kSecAttrAccount: "open"])) == "open")
            #expect(value(genp([kSecAttrAccessible: "ck"])) == "open")
        },
        Row("6.9 nothing matches the query", gives: errSecItemNotFound) {
            try prepare(lockedFirst: true)
            return find(genp([kSecAttrAccount: "nobody"]))
        },
        Row("6.9 nothing of the class", gives: errSecItemNotFound) {
            try prepare(lockedFirst: true)
            return find(inet())
        },
        Row("6.9 a locked item by its reference", gives: errSecInteractionNotAllowed) {
            add(password())
            let reference = reference(genp())
            try lock()
            return find(referred(reference))
        },
        Row("6.9 a locked item by an attribute that is not in its key", gives: errSecInteractionNotAllowed) {
            add(password("a", [kSecAttrLabel: "l"]))
            try lock()
            return find(genp([kSecAttrLabel: "l"]))
        },
        Row("6.9 an item without a value is locked too", gives: errSecInteractionNotAllowed) {
            add(genp())
            try lock()
            return copying(genp([kSecReturnData: true])).status
        },
        Row("6.9 foreign locked items are none of the caller's business", gives: errSecItemNotFound) {
            add(password())
            try lock()
            return try asProgram(groups: [otherGroup()]) { find(genp()) }
        },
        Row("6.9 after unlock everything is there again") {
            try prepare(lockedFirst: true)
            try Sandbox.current?.keychain.unlock()
            #expect(accounts(genp()) == ["locked", "open"])
            #expect(value(genp([kSecAttrAccount: "locked"])) == "locked")
        },
    ]

    private static let changeRows: [Row] = [
        Row("5 adding to a locked class is refused even for a duplicate", gives: errSecInteractionNotAllowed) {
            add(password())
            try lock()
            return add(password())
        },
        Row("5 adding to a readable class a key that a locked item has", gives: errSecDuplicateItem) {
            add(password())
            try lock()
            return add(password("bob", [kSecAttrAccessible: "ck"]))
        },
        Row("5 a refused add stores nothing") {
            try lock()
            add(password())
            try Sandbox.current?.keychain.unlock()
            #expect(find(genp()) == errSecItemNotFound)
        },
        Row("5 a malformed add is malformed while locked too", gives: errSecParam) {
            try lock()
            return add(genp([kSecValueData: "x"]))
        },
        Row("5 a foreign group is refused while locked too", gives: errSecMissingEntitlement) {
            try lock()
            return add(password("a", [kSecAttrAccessGroup: otherGroup()]))
        },
        Row("7 an update that meets one locked item changes nothing") {
            try prepare(lockedFirst: false)
            let before = seconds("mdat", genp([kSecAttrAccount: "open"]))
            #expect(update(genp(), [kSecAttrLabel: "l"]) == errSecInteractionNotAllowed)
            #expect(seconds("mdat", genp([kSecAttrAccount: "open"])) == before)
            try Sandbox.current?.keychain.unlock()
            #expect(find(genp([kSecAttrLabel: "l"])) == errSecItemNotFound)
        },
        Row("7 an update to a locked class is refused") {
            try prepare(lockedFirst: false)
            let open = genp([kSecAttrAccount: "open"])
            #expect(update(open, [kSecAttrAccessible: "ak"]) == errSecInteractionNotAllowed)
            #expect(attributes(open)["pdmn"] as? String == "ck")
            #expect(value(open) == "open")
        },
        Row("7 an update of a locked item to a readable class is refused", gives: errSecInteractionNotAllowed) {
            try prepare(lockedFirst: false)
            return update(genp([kSecAttrAccount: "locked"]), [kSecAttrAccessible: "ck"])
        },
        Row("7 an empty update of a locked item", gives: errSecInteractionNotAllowed) {
            try prepare(lockedFirst: false)
            return update(genp([kSecAttrAccount: "locked"]), [:])
        },
        Row("8 locked and readable items are deleted together") {
            try prepare(lockedFirst: true)
            #expect(delete(genp()) == errSecSuccess)
            #expect(find(genp()) == errSecItemNotFound)
        },
        Row("8 a locked item is deleted by its reference", gives: errSecSuccess) {
            add(password())
            let reference = reference(genp())
            try lock()
            return delete(referred(reference))
        },
        Row("8 a locked item is deleted by any of its attributes", gives: errSecSuccess) {
            add(password("a", [kSecAttrLabel: "l", kSecAttrComment: "c"]))
            try lock()
            return delete(genp([kSecAttrLabel: "l", kSecAttrComment: "c"]))
        },
        Row("12 a reference survives lock and restart") {
            add(password())
            let before = reference(genp())
            guard let keychain = Sandbox.current?.keychain else { throw NoSandbox() }
            try keychain.lock()
            try keychain.unlock()
            #expect(reference(genp()) == before)
            try keychain.restart()
            try keychain.unlock()
            try asProgram(Program(applicationIdentifier: ownGroup)) {
                #expect(reference(genp()) == before)
                #expect(value(referred(before)) == "bob")
            }
        },
    ]
}
