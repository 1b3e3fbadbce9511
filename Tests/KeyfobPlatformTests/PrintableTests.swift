// SPDX-License-Identifier: Apache-2.0
import KeyfobPlatform
import Testing

struct PrintableTests {
    @Test(arguments: ["", "work token", "Zoë — 東京 ✓", "a\\b"])
    func `Ordinary text stays as it is`(text: String) {
        #expect(Printable.text(text) == text)
    }

    @Test(arguments: [
        ("\n", "\\u{a}"), ("\u{1B}[31m", "\\u{1b}[31m"), ("\u{7F}", "\\u{7f}"), ("\u{9B}", "\\u{9b}"),
        ("a\u{202E}b", "a\\u{202e}b"), ("\u{2028}", "\\u{2028}"), ("\u{0}", "\\u{0}"),
    ])
    func `Control characters and direction marks are spelled out`(text: String, shown: String) {
        #expect(Printable.text(text) == shown)
    }

    @Test func `A long name is cut before the limit`() {
        let shown = Printable.text(String(repeating: "a", count: 300))
        #expect(shown == String(repeating: "a", count: 256) + "…")
    }

    @Test func `A name of just the limit is not cut`() {
        let name = String(repeating: "a", count: 256)
        #expect(Printable.text(name) == name)
    }

    @Test func `A character is never cut in two`() {
        #expect(Printable.text("aé", limit: 2) == "a…")
        #expect(Printable.text("\n", limit: 3) == "…")
    }
}
