// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import Testing

struct TextFilterTests {
    private func filter(
        _ match: TextFilter.Match, _ text: String, ignoresCase: Bool = false, in name: AttributeName? = .service
    ) -> TextFilter {
        TextFilter(name, match, WipedBytes(utf8: text), ignoresCase: ignoresCase)
    }

    private func folded(_ text: String) -> WipedBytes { filter(.equal, text, ignoresCase: true).text }

    @Test(
        arguments: [
            (TextFilter.Match.equal, [true, false, false, false]), (.startsWith, [true, true, false, false]),
            (.endsWith, [true, false, true, false]), (.contains, [true, true, true, true]),
        ])
    func `Each match asks for the text in its place`(match: TextFilter.Match, expected: [Bool]) {
        let texts = ["mail", "mailbox", "e-mail", "e-mails"]
        #expect(texts.map { filter(match, "mail").passes([.service: .text($0)]) } == expected)
    }

    @Test(arguments: [TextFilter.Match.equal, .startsWith, .endsWith, .contains])
    func `No match finds a text in a shorter one`(match: TextFilter.Match) {
        #expect(!filter(match, "mail").passes([.service: .text("mai")]))
        #expect(!filter(match, "mail").passes([.service: .text("")]))
    }

    @Test func `An empty text stands in every text and is equal to empty text alone`() {
        for text in ["", "mail"] {
            for match in [TextFilter.Match.startsWith, .endsWith, .contains] {
                #expect(filter(match, "").passes([.service: .text(text)]))
            }
            #expect(filter(.equal, "").passes([.service: .text(text)]) == text.isEmpty)
        }
    }

    @Test func `A part is found behind a false start`() {
        #expect(filter(.contains, "aab").passes([.service: .text("aaab")]))
    }

    @Test func `Case counts unless it is to be ignored`() {
        #expect(!filter(.contains, "MAIL").passes([.service: .text("my mail")]))
        #expect(filter(.contains, "MAIL", ignoresCase: true).passes([.service: .text("My mAil")]))
    }

    @Test func `A filter on an attribute looks at no other`() {
        let attributes: AttributeSet = [.service: .text("mail"), .comment: .text("note")]
        #expect(!filter(.equal, "note").passes(attributes))
        #expect(filter(.equal, "note", in: .comment).passes(attributes))
        #expect(!filter(.equal, "note", in: .label).passes(attributes))
    }

    @Test func `A filter without an attribute takes any one of them`() {
        let attributes: AttributeSet = [.service: .text("mail"), .comment: .text("note")]
        #expect(filter(.contains, "ot", in: nil).passes(attributes))
        #expect(!filter(.contains, "mailnote", in: nil).passes(attributes))
        #expect(!filter(.contains, "", in: nil).passes([:]))
    }

    @Test func `Data is text by its bytes, numbers and dates are none`() {
        #expect(filter(.equal, "mail").passes([.service: .data(WipedBytes(utf8: "mail"))]))
        #expect(!filter(.contains, "").passes([.service: .number(5)]))
        #expect(!filter(.contains, "").passes([.service: .date(5)]))
    }

    @Test(
        arguments: [
            ("ÄRGER", "ärger"), ("ΣΑΣ", "σας"), ("straße", "STRASSE"), ("STRAẞE", "strasse"), ("Ж", "ж"),
            ("\u{212A}", "k"), ("\u{10400}", "\u{10428}"),
        ])
    func `Letters of all scripts are equal but for case`(one: String, other: String) {
        #expect(folded(one) == folded(other))
    }

    @Test func `Accents and spellings in several scalars count`() {
        #expect(folded("é") != folded("e"))
        #expect(folded("\u{e9}") != folded("e\u{301}"))
    }

    @Test func `Text that is folded already is not copied or changed`() {
        #expect(folded("mail 5").string == "mail 5")
        #expect(folded("").count == 0)
    }

    @Test func `Bytes that are no UTF-8 stay as they are between letters that fold`() {
        let data = WipedBytes([0x41, 0xFF, 0xC3, 0x42, 0xE2, 0x82])
        let filter = TextFilter(nil, .equal, data, ignoresCase: true)
        #expect(filter.text.array == [0x61, 0xFF, 0xC3, 0x62, 0xE2, 0x82])
        #expect(filter.passes([.generic: .data(data)]))
    }

    @Test func `Folding what is folded changes nothing`() {
        var changed: [Unicode.Scalar] = []
        for scalar in (0...UInt32(0x1_FFFF)).compactMap(Unicode.Scalar.init) {
            let once = folded(String(scalar))
            let twice = TextFilter(nil, .equal, once, ignoresCase: true).text
            if once != twice { changed.append(scalar) }
        }
        #expect(changed.isEmpty)
    }
}
