// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite(.lendsTokens) struct AccessControlTests {
    @Test(arguments: combinations)
    func `Every combination of section 11 is made or refused`(combination: Combination) {
        var error: Unmanaged<CFError>?
        let made = unsafe SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenUnlocked, combination.flags, &error)
        #expect((made != nil) == combination.isLegal)
        let found = unsafe error?.takeRetainedValue()
        #expect(found.map { CFErrorGetCode($0) } == (combination.isLegal ? nil : Int(errSecParam)))
    }

    @Test(arguments: protections)
    func `Every protection of section 11 is taken or refused`(name: String, isLegal: Bool) {
        let made = SecAccessControlCreateWithFlags(nil, NSString(string: name), [], nil)
        #expect((made != nil) == isLegal)
    }

    @Test(arguments: Mode.allCases, itemRows)
    func `Every other row of section 11 holds`(mode: Mode, row: Row) throws { try row.run(mode) }

    struct Combination: Sendable, CustomTestStringConvertible {
        let name: String
        let flags: SecAccessControlCreateFlags
        let isLegal: Bool

        init(_ name: String, _ flags: SecAccessControlCreateFlags, isLegal: Bool) {
            self.name = name
            self.flags = flags
            self.isLegal = isLegal
        }

        var testDescription: String { "11 \(name)" }
    }

    private static let protections: [(String, Bool)] = [
        ("ak", true), ("ck", true), ("dk", true), ("aku", true), ("cku", true), ("dku", true), ("akpu", true),
        ("", false), ("AK", false), ("whatever", false),
    ]

    private static let combinations: [Combination] = [
        .init("flags 0", [], isLegal: true),
        .init("user presence", .userPresence, isLegal: true),
        .init("any biometry", .biometryAny, isLegal: true),
        .init("the current biometry", .biometryCurrentSet, isLegal: true),
        .init("passcode", .devicePasscode, isLegal: true),
        .init("companion", .companion, isLegal: true),
        .init("application password", .applicationPassword, isLegal: true),
        .init("private key usage", .privateKeyUsage, isLegal: true),
        .init("or with and", [.or, .and], isLegal: false),
        .init("or with and and constraints", [.or, .and, .biometryAny, .devicePasscode], isLegal: false),
        .init("both biometries", [.biometryAny, .biometryCurrentSet], isLegal: false),
        .init("both biometries with or", [.biometryAny, .biometryCurrentSet, .or], isLegal: false),
        .init("user presence with or", [.userPresence, .or], isLegal: false),
        .init("user presence with and", [.userPresence, .and], isLegal: false),
        .init("user presence with passcode", [.userPresence, .devicePasscode], isLegal: false),
        .init("user presence with any biometry", [.userPresence, .biometryAny], isLegal: false),
        .init("user presence with the current biometry", [.userPresence, .biometryCurrentSet], isLegal: false),
        .init("user presence with companion", [.userPresence, .companion], isLegal: false),
        .init("user presence with private key usage", [.userPresence, .privateKeyUsage], isLegal: true),
        .init("user presence with application password", [.userPresence, .applicationPassword], isLegal: true),
        .init(
            "user presence with both of these", [.userPresence, .privateKeyUsage, .applicationPassword], isLegal: true),
        .init("biometry and passcode without or", [.biometryAny, .devicePasscode], isLegal: true),
        .init("biometry or passcode", [.biometryAny, .devicePasscode, .or], isLegal: true),
        .init("biometry and passcode", [.biometryCurrentSet, .devicePasscode, .and], isLegal: true),
        .init("or alone", .or, isLegal: true),
        .init("and alone", .and, isLegal: true),
        .init("or with one constraint", [.or, .devicePasscode], isLegal: true),
        .init("private key usage with passcode", [.privateKeyUsage, .devicePasscode], isLegal: true),
        .init("private key usage with or and two", [.privateKeyUsage, .or, .biometryAny, .companion], isLegal: true),
    ]

    private static let itemRows: [Row] =
        [
            Row("11 objects are equal by protection and rules") {
                #expect(rules() == rules())
                #expect(CFEqual(rules(), rules()))
                #expect(rules() != rules(kSecAttrAccessibleAlways))
                #expect(rules(kSecAttrAccessibleAlways, .devicePasscode) != rules(kSecAttrAccessibleAlways))
                #expect(
                    rules(kSecAttrAccessibleAlways, .devicePasscode) == rules(kSecAttrAccessibleAlways, .devicePasscode)
                )
            },
            Row("11 the flags have Apple's bits") {
                let bits: [(SecAccessControlCreateFlags, Int)] = [
                    (.userPresence, 0), (.biometryAny, 1), (.biometryCurrentSet, 3), (.devicePasscode, 4),
                    (.companion, 5),
                    (.or, 14), (.and, 15), (.privateKeyUsage, 30), (.applicationPassword, 31),
                ]
                for (flag, bit) in bits { #expect(flag.rawValue == 1 << bit) }
            },
            Row("11 an object of flags 0 is stored, sets pdmn and comes back equal") {
                for (constant, code) in [
                    (kSecAttrAccessibleWhenUnlocked, "ak"), (kSecAttrAccessibleAlwaysThisDeviceOnly, "dku"),
                ] {
                    delete(genp())
                    #expect(add(password("a", [kSecAttrAccessControl: rules(constant) as Any])) == errSecSuccess)
                    #expect(attributes(genp())["pdmn"] as? String == code)
                    #expect(attributes(genp())["accc"] as? SecAccessControl == rules(constant))
                    #expect(value(genp()) == "a")
                }
            },
            Row("11 an object of flags 0 never needs a person") {
                add(password("a", [kSecAttrAccessControl: rules() as Any]))
                let query = genp([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail, kSecReturnData: true])
                #expect(copying(query).data == bytes("a"))
                let skip = genp([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])
                #expect(find(skip) == errSecSuccess)
            },
            Row("11 an object that was read back can be stored again") {
                add(password("a", [kSecAttrAccessControl: rules() as Any]))
                let read = attributes(genp())["accc"] as Any
                #expect(add(password("b", [kSecAttrAccessControl: read])) == errSecSuccess)
                #expect(attributes(genp([kSecAttrAccount: "b"]))["accc"] as? SecAccessControl == rules())
            },
            Row("11 replacing it by a plain pdmn gives the bare object") {
                add(password("a", [kSecAttrAccessControl: rules() as Any]))
                add(password("b"))
                update(genp([kSecAttrAccount: "a"]), [kSecAttrAccessible: "ak"])
                let first = attributes(genp([kSecAttrAccount: "a"]))["accc"] as? SecAccessControl
                #expect(first != nil && first == attributes(genp([kSecAttrAccount: "b"]))["accc"] as? SecAccessControl)
            },
        ]
        + [
            SecAccessControlCreateFlags.userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion,
        ].map { flag in
            Row("11 constraints 0x\(String(flag.rawValue, radix: 16)) are refused where nothing enforces them") {
                let guarded = rules(kSecAttrAccessibleWhenUnlocked, flag) as Any
                #expect(add(password("a", [kSecAttrAccessControl: guarded])) == errSecUnimplemented)
                #expect(find(genp()) == errSecItemNotFound)
            }
        }
}
