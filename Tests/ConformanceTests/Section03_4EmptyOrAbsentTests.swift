// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite(.lendsTokens) struct EmptyOrAbsentTests {
    @Test(arguments: Mode.allCases, PasswordAttribute.keys.flatMap(keyRows))
    func `Empty equals absent in every attribute of a primary key`(mode: Mode, row: Row) throws {
        try row.run(mode)
    }

    @Test(arguments: Mode.allCases, PasswordAttribute.others.flatMap(otherRows) + rows)
    func `Empty differs from absent in every other attribute`(mode: Mode, row: Row) throws { try row.run(mode) }

    private static func keyRows(_ attribute: PasswordAttribute) -> [Row] {
        let code = attribute.code
        let isNumber = attribute.kind == .number
        let empty: @Sendable () -> Any = { isNumber ? 0 : "" }
        let common = [
            Row("3.4 \(attribute) empty is a duplicate of absent", gives: errSecDuplicateItem) {
                add(attribute.items())
                return add(attribute.item(empty()))
            },
            Row("3.4 \(attribute) absent is a duplicate of empty", gives: errSecDuplicateItem) {
                add(attribute.item(empty()))
                return add(attribute.items())
            },
            Row("3.4 \(attribute) empty finds an item added without it, and only that") {
                add(attribute.items([kSecAttrLabel: "without"]))
                add(attribute.item(attribute.values.0).merging([kSecAttrLabel: "with"]) { _, new in new })
                #expect(attributes(attribute.item(empty()))["labl"] as? String == "without")
                #expect(update(attribute.item(empty()), [kSecAttrComment: "c"]) == errSecSuccess)
                #expect(delete(attribute.item(empty())) == errSecSuccess)
                #expect(attributes(attribute.items())["labl"] as? String == "with")
            },
            Row("3.4 \(attribute) comes back with its default") {
                add(attribute.items())
                let found = attributes(attribute.items())[code]
                #expect(isNumber ? found as? NSNumber == 0 : found as? String == "")
            },
            Row("3.4 \(attribute) can be emptied by an update and is then equal to absent") {
                add(attribute.item(attribute.values.0))
                #expect(update(attribute.items(), [attribute.key: empty()]) == errSecSuccess)
                #expect(add(attribute.items()) == errSecDuplicateItem)
            },
        ]
        guard !isNumber else { return common }
        return common + [
            Row("3.4 \(attribute) as empty data is a duplicate of absent", gives: errSecDuplicateItem) {
                add(attribute.items())
                return add(attribute.item(Data()))
            }
        ]
    }

    private static func otherRows(_ attribute: PasswordAttribute) -> [Row] {
        let code = attribute.code
        let empty: @Sendable () -> Any = { attribute.kind == .number ? 0 : "" }
        return [
            Row("3.4 \(attribute) empty does not find an item without it", gives: errSecItemNotFound) {
                add(attribute.items())
                return find(attribute.item(empty()))
            },
            Row("3.4 \(attribute) absent is missing from results") {
                add(attribute.items())
                let found = attributes(attribute.items())
                #expect(!found.isEmpty && found[code] == nil)
            },
            Row("3.4 \(attribute) empty is kept, found and returned") {
                add(attribute.item(empty()))
                #expect(find(attribute.item(empty())) == errSecSuccess)
                #expect(attributes(attribute.items())[code] != nil)
            },
        ]
    }

    private static let rows: [Row] =
        ["tkid", "vwht"].flatMap { code in
            [
                Row("3.4 \(code) absent is missing from results") {
                    add(genp())
                    #expect(attributes(genp())[code] == nil && !attributes(genp()).isEmpty)
                },
                Row("3.4 \(code) empty is another item than absent", gives: errSecSuccess) {
                    add(genp())
                    return add(genp([NSString(string: code): ""]))
                },
            ]
        } + [
            Row("3.4 an empty value is present, an absent one is not") {
                add(password("empty", [kSecValueData: Data()]))
                add(genp([kSecAttrAccount: "absent"]))
                #expect(copying(genp([kSecAttrAccount: "empty", kSecReturnData: true])).data == Data())
                #expect(copying(genp([kSecAttrAccount: "absent", kSecReturnData: true])).object == nil)
            }
        ]
}
