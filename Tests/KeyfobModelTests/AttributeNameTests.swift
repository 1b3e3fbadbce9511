// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import Testing

struct AttributeNameTests {
    @Test func `The number is the four characters, first one highest`() {
        #expect(AttributeName.account.rawValue == 0x6163_6374)
        #expect(AttributeName("acct") == .account)
        #expect(AttributeName.account.code == "acct")
    }

    @Test(arguments: ["", "acc", "acctt", "é", "éé1"])
    func `A name of another length than four bytes is none`(code: String) {
        #expect(AttributeName(code) == nil)
    }

    @Test func `Four bytes that are two characters are a name`() {
        #expect(AttributeName("éé")?.code == "éé")
    }

    @Test func `Names are ordered by their characters`() {
        #expect(AttributeName.account < .service)
        #expect(!(AttributeName.account < .account))
    }
}
