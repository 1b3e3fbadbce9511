// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import Testing

struct AttributeSetTests {
    @Test func `Attributes come in the order of their names, however they were set`() {
        let set: AttributeSet = [.service: .number(1), .account: .number(2), .label: .number(3)]
        #expect(set.map(\.name.code) == ["acct", "labl", "svce"])
    }

    @Test func `Sets are equal whatever the order in which they were filled`() {
        let one: AttributeSet = [.service: .number(1), .account: .number(2)]
        let other: AttributeSet = [.account: .number(2), .service: .number(1)]
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
    }

    @Test func `Setting a name again replaces its value`() {
        var set: AttributeSet = [.account: .number(1)]
        set[.account] = .number(2)
        #expect(set.count == 1)
        #expect(set[.account] == .number(2))
    }

    @Test func `Setting nil removes an attribute and nothing else`() {
        var set: AttributeSet = [.account: .number(1), .service: .number(2)]
        set[.account] = nil
        set[.label] = nil
        #expect(set == [.service: .number(2)])
        set[.service] = nil
        #expect(set.isEmpty)
    }

    @Test func `A name that was never set has no value`() {
        let set: AttributeSet = [.account: .number(1)]
        #expect(set[.service] == nil)
        #expect(set[.creator] == nil)
    }
}
