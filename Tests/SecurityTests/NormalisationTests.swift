// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

/// What values each kind of attribute accepts, and how they come back.
@Suite struct NormalisationTests {
    // MARK: - Text, data or a number (kSecAttrAccount and its like)

    @Test func `An account comes back in the type it was given`() {
        withKeychain { _ in
            for account: AnyHashable in ["bob", Data([0, 255]), 5, "张三", ""] {
                add([kSecClass: kSecClassGenericPassword, kSecAttrAccount: account])
                #expect(attributes(passwords([kSecAttrAccount: account]))["acct"] as? AnyHashable == account)
            }
        }
    }

    @Test func `Text and data of the same bytes are one account`() {
        withKeychain { _ in
            add(password("bob"))
            #expect(exists(passwords([kSecAttrAccount: Data("bob".utf8)])) == errSecSuccess)
            #expect(add(password(value: nil, [kSecAttrAccount: Data("bob".utf8)])) == errSecDuplicateItem)
        }
    }

    @Test func `The number 5 and the text "5" are two accounts`() {
        withKeychain { _ in
            #expect(add(password("5")) == errSecSuccess)
            #expect(add(password("", [kSecAttrAccount: 5])) == errSecSuccess)
            #expect(exists(passwords([kSecAttrAccount: Data([5, 0, 0, 0])])) == errSecSuccess)
        }
    }

    @Test func `Spellings that Unicode calls equal are two accounts`() {
        withKeychain { _ in
            #expect(add(password("caf\u{E9}")) == errSecSuccess)
            #expect(add(password("cafe\u{301}")) == errSecSuccess)
        }
    }

    @Test func `An account is neither boolean, date, array nor dictionary`() {
        withKeychain { _ in
            for account: Any in [true, Date(), ["bob"], ["a": "b"], NSObject()] {
                #expect(add(passwords([kSecAttrAccount: account])) == errSecParam, "\(account)")
                #expect(exists(passwords([kSecAttrLabel: account])) == errSecParam, "\(account)")
            }
        }
    }

    // MARK: - Numbers

    @Test func `A boolean of a number attribute comes back as 0 or 1`() {
        withKeychain { _ in
            add(password("a", [kSecAttrIsInvisible: true, kSecAttrIsNegative: false]))
            let found = attributes(passwords())
            #expect(found["invi"] as? NSNumber == 1 && CFGetTypeID(found["invi"] as AnyObject) == CFNumberGetTypeID())
            #expect(found["nega"] as? NSNumber == 0)
        }
    }

    @Test func `Text that is a decimal number becomes one`() {
        withKeychain { _ in
            add(password("a", [kSecAttrCreator: "1234", kSecAttrType: "-5"]))
            let found = attributes(passwords([kSecAttrCreator: 1234]))
            #expect(found["crtr"] as? Int == 1234)
            #expect(found["type"] as? Int == -5)
        }
    }

    @Test(arguments: ["http", "007", "+5", " 5", "2147483648", "", "5.0"])
    func `Other text of a number attribute stays text`(_ text: String) {
        withKeychain { _ in
            add([kSecClass: kSecClassInternetPassword, kSecAttrProtocol: text])
            #expect(attributes([kSecClass: kSecClassInternetPassword])["ptcl"] as? String == text)
        }
    }

    @Test func `A number is found in every width that holds it`() {
        withKeychain { _ in
            add([kSecClass: kSecClassInternetPassword, kSecAttrPort: UInt16(443)])
            let same: [Any] = [443, Int64(443), UInt32(443), 443.0, "443", NSNumber(value: 443)]
            for port in same {
                #expect(exists([kSecClass: kSecClassInternetPassword, kSecAttrPort: port]) == errSecSuccess, "\(port)")
            }
        }
    }

    @Test func `A four-character code above Int32 is a number`() {
        withKeychain { _ in
            add(password("a", [kSecAttrCreator: UInt32(0xFEDC_BA98)]))
            #expect(attributes(passwords())["crtr"] as? UInt32 == 0xFEDC_BA98)
        }
    }

    @Test func `A number attribute takes no data, date, fraction or number beyond 64 bits`() {
        withKeychain { _ in
            for port: Any in [Data([1]), Date(), 1.5, Double.infinity, UInt64.max, [1]] {
                let item: Query = [kSecClass: kSecClassInternetPassword, kSecAttrPort: port]
                #expect(add(item) == errSecParam, "\(port)")
            }
        }
    }

    // MARK: - Dates

    @Test func `A date attribute takes a date only`() {
        withKeychain { _ in
            for date: Any in ["2001-01-01", 0, Data(), true, Date(timeIntervalSinceReferenceDate: .nan)] {
                #expect(exists(passwords([kSecAttrCreationDate: date])) == errSecParam, "\(date)")
            }
        }
    }

    @Test func `An item is found by its dates`() {
        withKeychain { keychain in
            keychain.now = 700_000_000.25
            add(password())
            let moment = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
            #expect(attributes(passwords())["cdat"] as? Date == moment)
            #expect(
                exists(passwords([kSecAttrCreationDate: moment, kSecAttrModificationDate: moment])) == errSecSuccess)
            #expect(exists(passwords([kSecAttrCreationDate: moment + 1])) == errSecItemNotFound)
        }
    }

    // MARK: - Text only

    @Test func `A group may be text, its UTF-8 or a UUID`() {
        let uuid = UUID()
        withKeychain(.init(groups: ["grün", uuid.uuidString])) { _ in
            #expect(add(password("a", [kSecAttrAccessGroup: Data("grün".utf8)])) == errSecSuccess)
            #expect(add(password("b", [kSecAttrAccessGroup: uuid])) == errSecSuccess)
            #expect(attributes(password("a", value: nil))["agrp"] as? String == "grün")
            #expect(exists(password("b", value: nil, [kSecAttrAccessGroup: uuid.uuidString])) == errSecSuccess)
        }
    }

    @Test func `A group is neither number, boolean, date nor data that is no text`() {
        withKeychain { _ in
            for group: Any in [1, true, Date(), Data([0xFF])] {
                #expect(add(password("a", [kSecAttrAccessGroup: group])) == errSecParam, "\(group)")
            }
        }
    }

    @Test(arguments: ["f", "AK", "", "ck ", "unlocked"])
    func `An unknown accessibility is a bad parameter in every call`(_ code: String) {
        withKeychain { _ in
            let query = passwords([kSecAttrAccessible: code])
            #expect(add(query) == errSecParam)
            #expect(exists(query) == errSecParam)
            #expect(update(query, [:]) == errSecParam)
            #expect(update(passwords(), [kSecAttrAccessible: code]) == errSecParam)
            #expect(delete(query) == errSecParam)
        }
    }

    // MARK: - The value

    @Test func `A value is data only`() {
        withKeychain { _ in
            for value: Any in ["swordfish", 1, true, Date(), ["a"]] {
                #expect(add(passwords([kSecValueData: value])) == errSecParam, "\(value)")
            }
            #expect(add(passwords([kSecValueData: NSMutableData(data: Data([1]))])) == errSecSuccess)
        }
    }

    @Test func `A value of any size comes back`() {
        withKeychain { _ in
            for size in [0, 1, 64, 65, 4096, 4097, 1_000_000] {
                let value = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
                add(password("\(size)", value: nil, [kSecValueData: value]))
                let found = copying(password("\(size)", value: nil, [kSecReturnData: true])).object as? Data
                #expect(found == value, "\(size)")
            }
        }
    }

    // MARK: - Access control objects

    @Test func `An access control is an object of SecAccessControl in every call`() {
        withKeychain { _ in
            for object: Any in ["ak", Data(), 1, NSObject()] {
                let query = passwords([kSecAttrAccessControl: object])
                #expect(add(query) == errSecParam)
                #expect(exists(query) == errSecParam)
                #expect(update(query, [:]) == errSecParam)
                #expect(update(passwords(), [kSecAttrAccessControl: object]) == errSecParam)
                #expect(delete(query) == errSecParam)
            }
        }
    }

    @Test func `An accessibility and an object with rules contradict each other, even if equal in protection`() throws {
        let object = rules(kSecAttrAccessibleWhenUnlocked)
        let both: Query = [
            kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked, kSecAttrAccessControl: try #require(object),
        ]
        withKeychain { _ in
            #expect(add(password("a", both)) == errSecParam)
            #expect(exists(passwords(both)) == errSecParam)
            #expect(update(passwords(), both) == errSecParam)
            #expect(delete(passwords(both)) == errSecParam)
        }
    }

    @Test func `An accessibility and the object that was read back with it agree`() throws {
        try withKeychain { _ in
            add(password())
            let found = attributes(passwords())
            let object = try #require(found["accc"])
            #expect(exists(passwords([kSecAttrAccessible: "ak", kSecAttrAccessControl: object])) == errSecSuccess)
            #expect(exists(passwords([kSecAttrAccessible: "ck", kSecAttrAccessControl: object])) == errSecParam)
        }
    }
}
