// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite(.lendsTokens) struct KeyDispatchTests {
    @Test(arguments: Mode.allCases, copyRows + otherCallRows)
    func `Every row of section 3.1 holds`(mode: Mode, row: Row) throws { try row.run(mode) }

    /// Looks for the item of the row with one more key.
    private static func finding(_ key: NSObject, _ value: Any = "x") -> OSStatus {
        add(password())
        return SecItemCopyMatching(NSDictionary(objects: ["genp", value], forKeys: [NSString("class"), key]), nil)
    }

    private static let copyRows: [Row] = [
        Row("3.1 a number as key", gives: errSecNoSuchAttr) { finding(NSNumber(value: 5)) },
        Row("3.1 data as key", gives: errSecParam) { finding(NSData(data: bytes("acct"))) },
        Row("3.1 a date as key", gives: errSecParam) { finding(NSDate(timeIntervalSinceReferenceDate: 0)) },
        Row("3.1 an empty key", gives: errSecParam) { finding(NSString("")) },
        Row("3.1 a key of one character", gives: errSecParam) { finding(NSString("a")) },
        Row("3.1 a key of one character, m", gives: errSecParam) { finding(NSString("m")) },
        Row("3.1 four characters that are no attribute", gives: errSecNoSuchAttr) { finding(NSString("zzzz")) },
        Row("3.1 four characters that start with m", gives: errSecNoSuchAttr) { finding(NSString("m_ab")) },
        Row("3.1 four characters that start with u", gives: errSecNoSuchAttr) { finding(NSString("u_ab")) },
        Row("3.1 four characters that start with r", gives: errSecNoSuchAttr) { finding(NSString("r_ab"), true) },
        Row("3.1 four characters that start with v", gives: errSecNoSuchAttr) { finding(NSString("v_ab")) },
        Row("3.1 four characters that start with c", gives: errSecNoSuchAttr) { finding(NSString("clas")) },
        Row("3.1 four characters that start with f", gives: errSecNoSuchAttr) { finding(NSString("fabc")) },
        Row("3.1 four characters of more than one byte", gives: errSecNoSuchAttr) { finding(NSString("éèàü")) },
        Row("3.1 an attribute in upper case", gives: errSecNoSuchAttr) { finding(NSString("ACCT")) },
        Row("3.1 four blanks", gives: errSecNoSuchAttr) { finding(NSString("    ")) },
        Row("3.1 two characters of four bytes", gives: errSecParam) { finding(NSString("éè")) },
        Row("3.1 nleg is ignored", gives: errSecSuccess) { finding(NSString("nleg"), true) },
        Row("3.1 kSecUseDataProtectionKeychain is ignored, whatever its value", gives: errSecSuccess) {
            finding(kSecUseDataProtectionKeychain, "anything")
        },
        Row("3.1 a c key that is not class", gives: errSecParam) { finding(NSString("classes")) },
        Row("3.1 a c key of two characters", gives: errSecParam) { finding(NSString("cl")) },
        Row("3.1 an m key that nobody knows", gives: errSecSuccess) { finding(NSString("m_Whatever")) },
        Row("3.1 an m key without underscore", gives: errSecSuccess) { finding(NSString("match")) },
        Row("3.1 an m key of two characters", gives: errSecSuccess) { finding(NSString("mm")) },
        Row("3.1 an r key that nobody knows", gives: errSecParam) { finding(NSString("r_Whatever"), true) },
        Row("3.1 a return key that is the number 1", gives: errSecParam) {
            finding(kSecReturnData, NSNumber(value: 1))
        },
        Row("3.1 a return key that is the number 0", gives: errSecParam) {
            finding(kSecReturnAttributes, NSNumber(value: 0))
        },
        Row("3.1 a return key that is a string", gives: errSecParam) { finding(kSecReturnRef, "true") },
        Row("3.1 a return key that is data", gives: errSecParam) { finding(kSecReturnPersistentRef, Data([1])) },
        Row("3.1 a return key that is a Swift boolean", gives: errSecSuccess) { finding(kSecReturnData, true) },
        Row("3.1 a return key that is kCFBooleanTrue", gives: errSecSuccess) {
            finding(kSecReturnData, kCFBooleanTrue as Any)
        },
        Row("3.1 a u key that nobody knows", gives: errSecParam) { finding(NSString("u_Whatever")) },
        Row("3.1 a v key that nobody knows", gives: errSecParam) { finding(NSString("v_Whatever")) },
        Row("3.1 an f key is ignored", gives: errSecSuccess) { finding(NSString("f_Callback")) },
        Row("3.1 any other key", gives: errSecParam) { finding(NSString("account")) },
        Row("3.1 any other key that starts in upper case", gives: errSecParam) { finding(NSString("MatchLimit")) },
        Row("3.1 null as a value", gives: errSecParam) { finding(kSecAttrAccount, NSNull()) },
        Row("3.1 null as a return flag", gives: errSecParam) { finding(kSecReturnData, NSNull()) },
        Row("3.1 null as the value of an unknown match key", gives: errSecParam) {
            finding(NSString("m_Whatever"), NSNull())
        },
        Row("3.1 null as kSecMatchValidOnDate", gives: errSecSuccess) { finding(kSecMatchValidOnDate, NSNull()) },
        Row("3.1 an object that is no property list", gives: errSecParam) { finding(kSecAttrAccount, NSObject()) },
    ]

    private static let otherCallRows: [Row] = [
        Row("3.1 add: four characters that are no attribute", gives: errSecNoSuchAttr) {
            add(password("bob", ["zzzz": "x"]))
        },
        Row("3.1 add: any other key", gives: errSecParam) { add(password("bob", ["account": "x"])) },
        Row("3.1 add: a number as key", gives: errSecNoSuchAttr) {
            SecItemAdd(NSDictionary(dictionary: [5: "x", "class": "genp"] as [AnyHashable: Any]), nil)
        },
        Row("3.1 add: an f key is ignored", gives: errSecSuccess) { add(password("bob", ["f_Callback": "x"])) },
        Row("3.1 add: null as a value", gives: errSecParam) { add(password("bob", [kSecAttrLabel: NSNull()])) },
        Row("3.1 delete: four characters that are no attribute", gives: errSecNoSuchAttr) {
            delete(genp(["zzzz": "x"]))
        },
        Row("3.1 delete: any other key", gives: errSecParam) { delete(genp(["account": "x"])) },
        Row("3.1 delete: an unknown use key", gives: errSecParam) { delete(genp(["u_Whatever": true])) },
        Row("3.1 delete: null as a value", gives: errSecParam) { delete(genp([kSecAttrLabel: NSNull()])) },
        Row("3.1 update: four characters that are no attribute", gives: errSecNoSuchAttr) {
            update(genp(["zzzz": "x"]), [kSecAttrLabel: "l"])
        },
        Row("3.1 update: any other key", gives: errSecParam) { update(genp(["account": "x"]), [kSecAttrLabel: "l"]) },
        Row("3.1 update: null as a value", gives: errSecParam) {
            update(genp([kSecAttrLabel: NSNull()]), [kSecAttrLabel: "l"])
        },
        Row("3.1 copy: parsing errors come before access-group errors", gives: errSecParam) {
            find(genp([kSecAttrAccessGroup: otherGroup(), "account": "x"]))
        },
        Row("3.1 add: parsing errors come before access-group errors", gives: errSecNoSuchAttr) {
            add(password("bob", [kSecAttrAccessGroup: otherGroup(), "zzzz": "x"]))
        },
        Row("3.1 update: a bad group wins over parsing errors", gives: errSecMissingEntitlement) {
            update(genp([kSecAttrAccessGroup: otherGroup(), "account": "x"]), [kSecAttrLabel: "l"])
        },
        Row("3.1 update: a bad group wins over errors in the changes", gives: errSecMissingEntitlement) {
            update(genp([kSecAttrAccessGroup: otherGroup()]), ["account": "x"])
        },
        Row("3.1 delete: a bad group wins over parsing errors", gives: errSecMissingEntitlement) {
            delete(genp([kSecAttrAccessGroup: otherGroup(), "zzzz": "x"]))
        },
    ]
}
