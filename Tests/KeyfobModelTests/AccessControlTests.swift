// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import Testing

struct AccessControlTests {
    @Test(arguments: Accessibility.allCases)
    func `An access control survives being written and read`(protection: Accessibility) {
        for flags in [0, 1, 1 << 30, UInt64.max] {
            for hasRules in [false, true] {
                let control = AccessControl(protection: protection, flags: flags, hasRules: hasRules)
                #expect(AccessControl(encoded: control.encoded) == control)
            }
        }
    }

    @Test func `The encoding is protection, rules and flags, least significant byte first`() {
        let control = AccessControl(protection: .whenUnlocked, flags: 0x0102, hasRules: true)
        #expect(control.encoded == [1, 1, 2, 1, 0, 0, 0, 0, 0, 0])
    }

    @Test(
        arguments: [
            [], [1, 1, 0, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
            [8, 1, 0, 0, 0, 0, 0, 0, 0, 0], [1, 2, 0, 0, 0, 0, 0, 0, 0, 0],
        ] as [[UInt8]])
    func `Other bytes are no access control`(bytes: [UInt8]) {
        #expect(AccessControl(encoded: bytes) == nil)
    }

    @Test func `One made with flags zero is not equal to the bare class`() {
        let made = AccessControl(protection: .whenUnlocked, flags: 0, hasRules: true)
        #expect(made != AccessControl(bare: .whenUnlocked))
        #expect(!made.isConstrained)
    }

    @Test func `Any flag is a constraint`() {
        #expect(AccessControl(protection: .whenUnlocked, flags: 1 << 16, hasRules: true).isConstrained)
    }
}
