// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import KeyfobSQLite

struct JSONTests {
    private func fault(_ text: String, maximumSize: Int = 1000, maximumDepth: Int = 4) -> JSONError? {
        #expect(throws: JSONError.self) {
            try JSONDocument.parse(text, maximumSize: maximumSize, maximumDepth: maximumDepth)
        }
    }

    @Test func `A document keeps kinds, nesting and the order of members`() throws {
        let text = #" {"b": [1, -2.5, true, false, null], "a": {"x": "y", "": []}, "c": {}} "#
        let expected = JSONValue.object([
            ("b", .array([.integer(1), .real(-2.5), .bool(true), .bool(false), .null])),
            ("a", .object([("x", .string("y")), ("", .array([]))])),
            ("c", .object([])),
        ])
        #expect(try JSONDocument.parse(text) == expected)
    }

    @Test(
        arguments: [
            ("7", JSONValue.integer(7)), ("\"\"", .string("")), ("null", .null), ("[]", .array([])),
            ("-0", .integer(0)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .real(9_223_372_036_854_775_808)), ("1e3", .real(1000)), ("1.0", .real(1)),
        ] as [(String, JSONValue)])
    func `A document may be any value`(_ text: String, _ expected: JSONValue) throws {
        #expect(try JSONDocument.parse(text) == expected)
    }

    @Test func `Escapes are decoded in values and names`() throws {
        let value = try JSONDocument.parse(#"{"a\"\u00e9": "\n\t\\\/\ud83d\ude00"}"#)
        #expect(value == .object([("a\"\u{e9}", .string("\n\t\\/\u{1F600}"))]))
    }

    @Test func `A member is found by its name`() throws {
        let value = try JSONDocument.parse(#"{"match": {"unit": "shop.service"}}"#)
        #expect(value["match"]?["unit"] == .string("shop.service"))
        #expect(value["none"] == nil)
        #expect(JSONValue.null["match"] == nil)
    }

    @Test(
        arguments: [
            ("", 0), (" ", 1), ("{", 1), ("[1,]", 3), ("[1 2]", 3), ("{\"a\" 1}", 5), ("{a: 1}", 1), ("tru", 3),
            ("01", 1),
            ("1.", 2), ("-", 1), ("1e+", 3), ("\"a", 2), ("\"\\x\"", 2), ("\"\\u12g4\"", 5), ("\"\n\"", 1),
            ("[] []", 3),
            ("{\"a\":1,}", 7), ("'a'", 0), ("NaN", 0), ("[1]// c", 3), ("+1", 0), (".5", 0),
        ] as [(String, Int)])
    func `A malformed text is refused at its first fault`(_ text: String, _ offset: Int) {
        #expect(fault(text) == JSONError(.malformed, offset: offset))
    }

    @Test(arguments: [("[\"\\u0000\"]", 2), ("[1\u{0}]", 2), ("\"a\u{0}\"", 2)] as [(String, Int)])
    func `A zero character is refused`(_ text: String, _ offset: Int) {
        #expect(fault(text) == JSONError(.zeroCharacter, offset: offset))
    }

    @Test(arguments: [
        #"{"a": 1, "a": 1}"#, #"{"x": {"a": 1, "b": 2, "a": []}}"#, #"[{"a": {}, "\u0061": {}}]"#,
    ])
    func `A name that occurs twice in one object is refused`(_ text: String) {
        #expect(fault(text) == JSONError(.duplicateName("a")))
    }

    @Test func `One name in several objects is allowed`() throws {
        #expect(try JSONDocument.parse(#"[{"a": 1}, {"a": {"a": 2}}]"#)[""] == nil)
    }

    @Test func `Depth is limited`() throws {
        #expect(try JSONDocument.parse("[[[[]]]]", maximumDepth: 4) == .array([.array([.array([.array([])])])]))
        #expect(fault("[[{\"a\":[[1]]}]]", maximumDepth: 4) == JSONError(.tooDeep(limit: 4), offset: 8))
        #expect(fault(String(repeating: "[", count: 900)) == JSONError(.tooDeep(limit: 4), offset: 4))
    }

    @Test func `Size is limited`() {
        #expect(fault("[1, 2]", maximumSize: 5) == JSONError(.tooLarge(limit: 5)))
    }

    @Test func `An error says what and where`() {
        #expect(fault("[1,]")?.description == "malformed JSON at byte 3")
        #expect(fault("{\"a\":1,\"a\":2}")?.description == "name \"a\" occurs twice in an object")
    }
}
