// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite(.lendsTokens) struct AccessGroupTests {
    @Test(arguments: Mode.allCases, orderRows + visibilityRows + missingRows + tokenRows + wildcardRows + privateRows)
    func `Every row of section 9 holds`(mode: Mode, row: Row) throws { try row.run(mode) }

    /// The group that a new item gets in a program given those.
    private static func defaultGroup(_ program: Program) throws -> String? {
        try asProgram(program) { adding(password("a", [kSecReturnAttributes: true])).dictionary?["agrp"] as? String }
    }

    private static let orderRows: [Row] = [
        Row("9 the default is the first keychain access group") {
            let program = Program(
                applicationIdentifier: ownGroup, accessGroups: [otherGroup("1"), otherGroup("2")],
                applicationGroups: [otherGroup("3")])
            let found = try defaultGroup(program)
            #expect(found == otherGroup("1"))
        },
        Row("9 without keychain access groups it is the application identifier") {
            let program = Program(applicationIdentifier: ownGroup, applicationGroups: [otherGroup("3")])
            let found = try defaultGroup(program)
            #expect(found == ownGroup)
        },
        Row("9 with application groups alone it is the first of them") {
            let found = try defaultGroup(Program(applicationGroups: [otherGroup("3")]))
            #expect(found == otherGroup("3"))
        },
        Row("9 com.apple.token is never the default, even if it is the first") {
            let program = Program(applicationIdentifier: ownGroup, accessGroups: ["com.apple.token"])
            let found = try defaultGroup(program)
            #expect(found == ownGroup)
        },
        Row("9 application groups can be named in all four calls") {
            let group = otherGroup("3")
            try asProgram(Program(applicationIdentifier: ownGroup, applicationGroups: [group])) {
                #expect(add(password("a", [kSecAttrAccessGroup: group])) == errSecSuccess)
                #expect(find(genp([kSecAttrAccessGroup: group])) == errSecSuccess)
                #expect(update(genp([kSecAttrAccessGroup: group]), [kSecAttrLabel: "l"]) == errSecSuccess)
                #expect(delete(genp([kSecAttrAccessGroup: group])) == errSecSuccess)
            }
        },
        Row("9 the application identifier can be named") {
            #expect(add(password("a", [kSecAttrAccessGroup: ownGroup])) == errSecSuccess)
            #expect(find(genp([kSecAttrAccessGroup: ownGroup])) == errSecSuccess)
        },
    ]

    private static let visibilityRows: [Row] = [
        Row("9 an item is visible to every program that has its group") {
            let shared = otherGroup("shared")
            try asProgram(Program(applicationIdentifier: otherGroup("one"), accessGroups: [shared])) {
                add(password())
            }
            try asProgram(Program(applicationIdentifier: otherGroup("two"), accessGroups: [shared])) {
                #expect(value(genp()) == "bob")
                #expect(update(genp(), [kSecValueData: bytes("new")]) == errSecSuccess)
            }
            try asProgram(Program(applicationIdentifier: otherGroup("one"), accessGroups: [shared])) {
                #expect(value(genp()) == "new")
            }
        },
        Row("9 an item is invisible to all others") {
            add(password())
            try asProgram(groups: [otherGroup()]) {
                #expect(find(genp()) == errSecItemNotFound)
                #expect(update(genp(), [kSecAttrLabel: "l"]) == errSecItemNotFound)
                #expect(delete(genp()) == errSecItemNotFound)
            }
        },
        Row("9 one key in two groups is two items") {
            add(password())
            try asProgram(groups: [otherGroup()]) { #expect(add(password()) == errSecSuccess) }
        },
        Row("9 a changed application identifier loses sight of old items") {
            add(password())
            try asProgram(Program(applicationIdentifier: otherGroup("renamed"))) {
                #expect(find(genp()) == errSecItemNotFound)
            }
        },
        Row("9 a program given both groups moves the item by an update") {
            add(password())
            let renamed = otherGroup("renamed")
            try asProgram(groups: [ownGroup, renamed]) {
                #expect(update(genp(), [kSecAttrAccessGroup: renamed]) == errSecSuccess)
            }
            try asProgram(groups: [renamed]) { #expect(value(genp()) == "bob") }
            #expect(find(genp()) == errSecItemNotFound)
        },
        Row("9 groups are compared exactly") {
            add(password())
            for name in [ownGroup.uppercased(), ownGroup + " ", ownGroup + ".", String(ownGroup.dropLast())] {
                #expect(find(genp([kSecAttrAccessGroup: name])) == errSecMissingEntitlement, "\(name)")
            }
        },
        Row("9 group names are compared without composing") {
            try asProgram(groups: [otherGroup("é")]) {
                #expect(find(genp([kSecAttrAccessGroup: otherGroup("e\u{301}")])) == errSecMissingEntitlement)
            }
        },
        Row("9 an empty group is a group like another", gives: errSecMissingEntitlement) {
            find(genp([kSecAttrAccessGroup: ""]))
        },
    ]

    private static let missingRows: [Row] = [
        Row("9 no group at all: copy", gives: errSecMissingEntitlement) { try asProgram(groups: []) { find(genp()) } },
        Row("9 no group at all: add", gives: errSecMissingEntitlement) {
            try asProgram(groups: []) { add(password()) }
        },
        Row("9 no group at all: update", gives: errSecMissingEntitlement) {
            try asProgram(groups: []) { update(genp(), [kSecAttrLabel: "l"]) }
        },
        Row("9 no group at all: delete", gives: errSecMissingEntitlement) {
            try asProgram(groups: []) { delete(genp()) }
        },
        Row("9 no group at all: by reference", gives: errSecMissingEntitlement) {
            add(password())
            let reference = reference(genp())
            return try asProgram(groups: []) { find(referred(reference)) }
        },
        Row("9 explicit group not in the list: copy", gives: errSecMissingEntitlement) {
            find(genp([kSecAttrAccessGroup: otherGroup()]))
        },
        Row("9 explicit group not in the list: add", gives: errSecMissingEntitlement) {
            add(password("a", [kSecAttrAccessGroup: otherGroup()]))
        },
        Row("9 explicit group not in the list: update", gives: errSecMissingEntitlement) {
            update(genp([kSecAttrAccessGroup: otherGroup()]), [kSecAttrLabel: "l"])
        },
        Row("9 explicit group not in the list: delete", gives: errSecMissingEntitlement) {
            delete(genp([kSecAttrAccessGroup: otherGroup()]))
        },
        Row("9 explicit group not in the list, though it holds items") {
            try asProgram(groups: [otherGroup()]) { add(password()) }
            #expect(find(genp([kSecAttrAccessGroup: otherGroup()])) == errSecMissingEntitlement)
            #expect(delete(genp([kSecAttrAccessGroup: otherGroup()])) == errSecMissingEntitlement)
        },
        Row("9 a query that would match foreign items only", gives: errSecItemNotFound) {
            try asProgram(groups: [otherGroup()]) { add(password()) }
            return find(genp())
        },
    ]

    private static var token: Query { [kSecAttrAccessGroup: "com.apple.token"] }

    private static let tokenRows: [Row] = [
        Row("9 com.apple.token given: copy", gives: errSecItemNotFound) {
            try asProgram(groups: [ownGroup, "com.apple.token"]) { find(genp(token)) }
        },
        Row("9 com.apple.token given: add", gives: errSecMissingEntitlement) {
            try asProgram(groups: [ownGroup, "com.apple.token"]) { add(password("a", token)) }
        },
        Row("9 com.apple.token given: update", gives: errSecMissingEntitlement) {
            try asProgram(groups: [ownGroup, "com.apple.token"]) { update(genp(token), [kSecAttrLabel: "l"]) }
        },
        Row("9 com.apple.token given: delete", gives: errSecMissingEntitlement) {
            try asProgram(groups: [ownGroup, "com.apple.token"]) { delete(genp(token)) }
        },
        Row("9 com.apple.token not given: copy", gives: errSecMissingEntitlement) { find(genp(token)) },
        Row("9 com.apple.token alone: copy without a group", gives: errSecItemNotFound) {
            try asProgram(groups: ["com.apple.token"]) { find(genp()) }
        },
        Row("9 com.apple.token alone: add without a group", gives: errSecMissingEntitlement) {
            try asProgram(groups: ["com.apple.token"]) { add(password()) }
        },
        Row("9 com.apple.token alone: update without a group", gives: errSecMissingEntitlement) {
            try asProgram(groups: ["com.apple.token"]) { update(genp(), [kSecAttrLabel: "l"]) }
        },
        Row("9 com.apple.token alone: delete without a group", gives: errSecMissingEntitlement) {
            try asProgram(groups: ["com.apple.token"]) { delete(genp()) }
        },
    ]

    private static let wildcardRows: [Row] = [
        Row("9 * sees the items of every group", gives: errSecSuccess) {
            add(password(ownGroup))
            return try asProgram(groups: ["*"]) { find(genp([kSecAttrAccount: ownGroup])) }
        },
        Row("9 * may name any group") {
            try asProgram(groups: ["*"]) {
                #expect(add(password("a", [kSecAttrAccessGroup: ownGroup])) == errSecSuccess)
                #expect(update(genp([kSecAttrAccessGroup: ownGroup]), [kSecAttrLabel: "l"]) == errSecSuccess)
                #expect(find(genp([kSecAttrAccessGroup: otherGroup()])) == errSecItemNotFound)
                #expect(delete(genp([kSecAttrAccessGroup: ownGroup])) == errSecSuccess)
            }
        },
        Row("9 * alone has no default group", gives: errSecMissingEntitlement) {
            try asProgram(groups: ["*"]) { add(password()) }
        },
        Row("9 * with a group adds to that group") {
            let found = try defaultGroup(Program(accessGroups: ["*", otherGroup()]))
            #expect(found == otherGroup())
        },
        Row("9 * may not write to com.apple.token", gives: errSecMissingEntitlement) {
            try asProgram(groups: ["*"]) { add(password("a", token)) }
        },
    ]

    private static let privateRows: [Row] =
        ["ggrp", "pcss", "pcsk", "pcsi", "dspk", "sysb"].map { code in
            Row("9 \(code) in an add needs an entitlement of the system's", gives: errSecMissingEntitlement) {
                add(password("a", [NSString(string: code): "x"]))
            }
        }
        + ["binn", "bini", "bin0", "bin1", "bin2", "bin3"].map { code in
            Row("9 \(code) in an add needs an entitlement of the system's", gives: errSecMissingEntitlement) {
                add(inet([NSString(string: code): Data([1])]))
            }
        } + [Row("9 clip in an add", gives: errSecParam) { add(password("a", ["clip": 1])) }]
}
