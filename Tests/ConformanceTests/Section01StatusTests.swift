// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

/// The codes of section 1 that a client of password items can provoke.
///
/// Not provoked here: -34, -36, -108, -2070 and -25292 are faults of disk and memory (KeyfobStoreTests), -128, -25293,
/// -26275, -67808 and -9809 belong to prompts and keys, -34020 to app clips, -25304 to legacy references. The texts of
/// all codes need no keychain: SecurityTests compares them.
@Suite(.lendsTokens) struct StatusTests {
    @Test(arguments: Mode.allCases, rows)
    func `Every code of section 1 comes from the call that it is for`(mode: Mode, row: Row) throws {
        try row.run(mode)
    }

    private static let rows: [Row] = [
        Row("1 success is 0", gives: 0) { add(password()) },
        Row("1 not implemented is -4", gives: -4) {
            add(password())
            return find(genp([kSecMatchHostOrSubdomainOfHost: "a.org"]))
        },
        Row("1 a bad parameter is -50", gives: -50) { find([:]) },
        Row("1 a duplicate is -25299", gives: -25299) {
            add(password())
            return add(password())
        },
        Row("1 nothing found is -25300", gives: -25300) { find(genp()) },
        Row("1 no such attribute is -25303", gives: -25303) { find(genp([kSecAttrServer: "x"])) },
        Row("1 no such class is -25306", gives: -25306) { find([kSecClass: "xxxx"]) },
        Row("1 a missing entitlement is -34018", gives: -34018) { find(genp([kSecAttrAccessGroup: otherGroup()])) },
        Row("1 without a keychain -25291", gives: -25291) {
            ServiceSelection.$scoped.withValue(nil) { find(genp()) }
        },
        Row("1 the message of every status is text") {
            for status in [errSecSuccess, errSecItemNotFound, errSecDuplicateItem, -2070, 123_456] {
                #expect(SecCopyErrorMessageString(status, nil) as String? != "")
            }
            #expect(SecCopyErrorMessageString(123_456, nil) as String? == "OSStatus 123456")
        },
    ]
}
