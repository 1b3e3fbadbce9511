// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite(.lendsTokens) struct NormalisationTests {
    @Test(arguments: Mode.allCases, PasswordAttribute.blobs.flatMap(blobRows))
    func `Every blob of section 3.3 keeps its type and compares bytes`(mode: Mode, row: Row) throws {
        try row.run(mode)
    }

    @Test(arguments: Mode.allCases, PasswordAttribute.numbers.flatMap(numberRows))
    func `Every number of section 3.3 is normalised`(mode: Mode, row: Row) throws { try row.run(mode) }

    /// Values that no blob takes.
    private static let noBlobs: [(String, @Sendable () -> Any)] = [
        ("a boolean", { true }), ("a date", { Date(timeIntervalSinceReferenceDate: 0) }), ("an array", { ["x"] }),
        ("a dictionary", { ["x": "y"] }), ("null", { NSNull() }),
    ]

    private static func blobRows(_ attribute: PasswordAttribute) -> [Row] {
        let code = attribute.code
        return [
            Row("3.3 \(attribute) comes back as the string it was") {
                add(attribute.item("été"))
                #expect(attributes(attribute.items())[code] as? String == "été")
            },
            Row("3.3 \(attribute) comes back as the data it was") {
                add(attribute.item(Data([0, 255, 7])))
                #expect(attributes(attribute.items())[code] as? Data == Data([0, 255, 7]))
            },
            Row("3.3 \(attribute) comes back as the number it was") {
                add(attribute.item(-5))
                #expect(attributes(attribute.items())[code] as? NSNumber == -5)
            },
            Row("3.3 \(attribute) as string is found by data of equal bytes") {
                add(attribute.item("naïve"))
                #expect(find(attribute.item(bytes("naïve"))) == errSecSuccess)
                #expect(attributes(attribute.item(bytes("naïve")))[code] as? String == "naïve")
            },
            Row("3.3 \(attribute) as data is found by a string of equal bytes") {
                add(attribute.item(bytes("naïve")))
                #expect(find(attribute.item("naïve")) == errSecSuccess)
            },
            Row("3.3 \(attribute) as number is found by its four bytes, little-endian, and not by its digits") {
                add(attribute.item(5))
                #expect(find(attribute.item(5)) == errSecSuccess)
                #expect(find(attribute.item(Data([5, 0, 0, 0]))) == errSecSuccess)
                #expect(find(attribute.item("5")) == errSecItemNotFound)
            },
            Row("3.3 \(attribute) is compared without folding case or composing") {
                add(attribute.item("Caf\u{E9}"))
                #expect(find(attribute.item("caf\u{E9}")) == errSecItemNotFound)
                #expect(find(attribute.item("Cafe\u{301}")) == errSecItemNotFound)
                #expect(find(attribute.item("Caf*")) == errSecItemNotFound)
            },
        ]
            + noBlobs.map { what, value in
                Row("3.3 \(attribute) refuses \(what)") {
                    #expect(add(attribute.item(value())) == errSecParam)
                    #expect(find(attribute.item(value())) == errSecParam)
                    #expect(delete(attribute.item(value())) == errSecParam)
                    add(attribute.items())
                    #expect(update(attribute.items(), [attribute.key: value()]) == errSecParam)
                }
            }
    }

    private static func numberRows(_ attribute: PasswordAttribute) -> [Row] {
        let code = attribute.code
        return [
            Row("3.3 \(attribute) comes back as the number it was") {
                add(attribute.item(65535))
                #expect(attributes(attribute.items())[code] as? NSNumber == 65535)
            },
            Row("3.3 \(attribute) takes booleans, which come back as numbers") {
                add(attribute.item(true))
                let found = attributes(attribute.items())[code] as AnyObject
                #expect(found as? NSNumber == 1)
                #expect(CFGetTypeID(found) == CFNumberGetTypeID())
                #expect(find(attribute.item(1)) == errSecSuccess)
                #expect(find(attribute.item(false)) == errSecItemNotFound)
            },
            Row("3.3 \(attribute) takes a decimal string as the number") {
                add(attribute.item("8080"))
                #expect(attributes(attribute.items())[code] as? NSNumber == 8080)
                #expect(find(attribute.item(8080)) == errSecSuccess)
            },
            Row("3.3 \(attribute) takes a negative decimal string as the number") {
                add(attribute.item("-1"))
                #expect(attributes(attribute.items())[code] as? NSNumber == -1)
            },
            Row("3.3 \(attribute) keeps a string that is no decimal number") {
                add(attribute.item("htps"))
                #expect(attributes(attribute.items())[code] as? String == "htps")
                #expect(find(attribute.item("htps")) == errSecSuccess)
                #expect(find(attribute.item("http")) == errSecItemNotFound)
            },
            Row("3.3 \(attribute) keeps a string that does not round-trip as int32") {
                for text in ["080", "+1", " 1", "1.0", "2147483648"] {
                    delete(attribute.items())
                    #expect(add(attribute.item(text)) == errSecSuccess)
                    #expect(attributes(attribute.items())[code] as? String == text)
                }
            },
            Row("3.3 \(attribute) refuses data") {
                #expect(add(attribute.item(Data([1]))) == errSecParam)
                #expect(find(attribute.item(Data([1]))) == errSecParam)
                add(attribute.items())
                #expect(update(attribute.items(), [attribute.key: Data([1])]) == errSecParam)
            },
            Row("3.3 \(attribute) refuses a date") {
                #expect(add(attribute.item(Date())) == errSecParam)
                #expect(find(attribute.item(Date())) == errSecParam)
            },
        ]
    }
}
