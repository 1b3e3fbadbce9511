// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security
internal import Testing

/// The state machine of section 10: every accessibility class, in every state, by every call.
///
/// The state “no passcode set” has no row: no token of the suite can be without a user PIN (`PasscodeTests` has one that says
/// so).
@Suite struct StateTests {
    @Test(arguments: Mode.allCases, DeviceState.allCases.flatMap(rows))
    func `Every cell of section 10 holds`(mode: Mode, cell: Cell) throws {
        try Sandbox.run(mode, on: cell.state.keychain(mode)) { try cell.check() }
    }

    @Test(arguments: Mode.allCases, legalityRows)
    func `Every combination of section 10 is legal or not as it says`(mode: Mode, row: Row) throws {
        try row.run(mode)
    }

    @Test(arguments: Mode.allCases, accessibilities)
    func `Every class is kept when the PIN changes`(mode: Mode, code: String) throws {
        let keychain = try mode.makeKeychain()
        try Sandbox.run(mode, on: keychain) {
            add(password("a", [kSecAttrAccessible: code]))
            try keychain.changePIN()
            try keychain.lock()
            try keychain.unlock()
            #expect(value(genp()) == "a")
            #expect(add(password("b", [kSecAttrAccessible: code])) == errSecSuccess)
        }
    }

    @Test(arguments: Mode.allCases)
    func `A passcode that is removed takes the items of its class along and no others`(mode: Mode) throws {
        let keychain = try mode.makeKeychain()
        try Sandbox.run(mode, on: keychain) {
            for code in Self.accessibilities {
                #expect(add(password(code, [kSecAttrAccessible: code])) == errSecSuccess)
            }
            try keychain.removePasscode()
            let query = { (code: String) in genp([kSecAttrAccessible: code]) }
            #expect(find(query("akpu")) == errSecItemNotFound)
            #expect(find(query("ck")) == errSecSuccess)
            #expect(find(query("ak")) == errSecInteractionNotAllowed)
            try keychain.unlock()
            for code in Self.accessibilities where code != "akpu" { #expect(find(query(code)) == errSecSuccess) }
            #expect(find(query("akpu")) == errSecItemNotFound)
            #expect(add(password("akpu", [kSecAttrAccessible: "akpu"])) == errSecSuccess)
            #expect(value(query("akpu")) == "akpu")
        }
    }

    private static let accessibilities = ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"]

    private static func rows(_ state: DeviceState) -> [Cell] {
        accessibilities.flatMap { code in Cell.Call.allCases.map { Cell(state: state, accessible: code, call: $0) } }
    }

    private static let legalityRows: [Row] =
        accessibilities.map { code in
            let isSynchronizable = ["ak", "ck", "dk"].contains(code)
            return Row("10 sync true with \(code)", gives: isSynchronizable ? errSecSuccess : errSecParam) {
                add(password("a", [kSecAttrAccessible: code, kSecAttrSynchronizable: true]))
            }
        }
        + accessibilities.map { code in
            Row("10 \(code) is read back and written while unlocked") {
                #expect(add(password("a", [kSecAttrAccessible: code])) == errSecSuccess)
                #expect(value(genp()) == "a")
                #expect(attributes(genp())["pdmn"] as? String == code)
                #expect(update(genp(), [kSecValueData: bytes("new")]) == errSecSuccess)
                #expect(value(genp()) == "new")
            }
        }
}

/// The states of section 10, each on a keychain that is prepared once and then left as it is.
enum DeviceState: String, CaseIterable, Sendable {
    case neverUnlocked = "booted, never unlocked"
    case unlocked = "unlocked"
    case locked = "locked after first unlock"

    /// The group of the items that were added before the keychain got into the state.
    static let group = "states"

    func keychain(_ mode: Mode) throws -> any KeychainUnderTest {
        try mode.keptKeychain(rawValue) { keychain in
            try keychain.use(Program(applicationIdentifier: Self.group)) {
                for code in ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"] {
                    for call in Cell.Call.allCases {
                        add(password("\(call)", [kSecAttrAccessible: code, kSecAttrService: code]))
                    }
                }
            }
            switch self {
            case .neverUnlocked: try keychain.restart()
            case .unlocked: break
            case .locked: try keychain.lock()
            }
        }
    }

    func allows(_ code: String) -> Bool {
        switch self {
        case .unlocked: true
        case .neverUnlocked: ["dk", "dku"].contains(code)
        case .locked: ["ck", "cku", "dk", "dku"].contains(code)
        }
    }
}

/// One class in one state, by one call.
struct Cell: Sendable, CustomTestStringConvertible {
    enum Call: String, CaseIterable, Sendable {
        case copyValue, copyAttributes, copyReference, exists, add, addDuplicate, update, updateAttributes, delete
    }

    let state: DeviceState
    let accessible: String
    let call: Call

    var testDescription: String { "10 \(state.rawValue), \(accessible), \(call)" }

    /// Makes the call on the item that was prepared for it.
    func check() throws {
        try asProgram(Program(applicationIdentifier: DeviceState.group)) {
            let item = genp([kSecAttrAccount: "\(call)", kSecAttrService: accessible])
            let isAlways = call == .delete
            let expected = state.allows(accessible) || isAlways ? errSecSuccess : errSecInteractionNotAllowed
            switch call {
            case .copyValue:
                let answer = copying(item.merging([kSecReturnData: true]) { _, new in new })
                #expect(answer.status == expected)
                #expect(answer.data == (expected == errSecSuccess ? bytes("\(call)") : nil))
            case .copyAttributes:
                let answer = copying(item.merging([kSecReturnAttributes: true]) { _, new in new })
                #expect(answer.status == expected)
                #expect((answer.dictionary != nil) == (expected == errSecSuccess))
            case .copyReference:
                #expect(copying(item.merging([kSecReturnPersistentRef: true]) { _, new in new }).status == expected)
            case .exists:
                #expect(find(item) == expected)
            case .add:
                let new = genp([kSecAttrAccount: "new", kSecAttrService: accessible, kSecAttrAccessible: accessible])
                #expect(Security.SecItemAdd(new as CFDictionary, nil) == expected)
                #expect(
                    find(genp([kSecAttrAccount: "new", kSecAttrService: accessible]))
                        == (expected == errSecSuccess ? errSecSuccess : errSecItemNotFound))
            case .addDuplicate:
                let again = item.merging([kSecAttrAccessible: accessible]) { _, new in new }
                let refused = state.allows(accessible) ? errSecDuplicateItem : errSecInteractionNotAllowed
                #expect(Security.SecItemAdd(again as CFDictionary, nil) == refused)
            case .update:
                #expect(Security.SecItemUpdate(item as CFDictionary, ["v_Data": Data()] as CFDictionary) == expected)
            case .updateAttributes:
                #expect(Security.SecItemUpdate(item as CFDictionary, ["labl": "l"] as CFDictionary) == expected)
            case .delete:
                #expect(Security.SecItemDelete(item as CFDictionary) == errSecSuccess)
                #expect(find(item) == errSecItemNotFound)
            }
        }
    }
}
