// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import Testing

struct AccessibilityTests {
    /// What stores and frames carry must never change.
    @Test(arguments: [
        (Accessibility.whenUnlocked, UInt8(1), "ak"), (.afterFirstUnlock, 2, "ck"), (.always, 3, "dk"),
        (.whenUnlockedThisDeviceOnly, 4, "aku"), (.afterFirstUnlockThisDeviceOnly, 5, "cku"),
        (.alwaysThisDeviceOnly, 6, "dku"), (.whenPasscodeSetThisDeviceOnly, 7, "akpu"),
    ])
    func `A class keeps its number and its code`(accessibility: Accessibility, number: UInt8, code: String) {
        #expect(accessibility.rawValue == number)
        #expect(accessibility.code == code)
        #expect(Accessibility(code: code) == accessibility)
    }

    @Test(arguments: ["", "AK", "a", "akpx", "ak "])
    func `Another code is no class`(code: String) {
        #expect(Accessibility(code: code) == nil)
    }

    @Test func `The codes that end in u stay on the device`() {
        for accessibility in Accessibility.allCases {
            #expect(accessibility.isThisDeviceOnly == accessibility.code.hasSuffix("u"))
        }
    }

    @Test func `The first letter says when the class is usable`() {
        let letters: [Accessibility.Availability: Character] = [
            .whileUnlocked: "a", .afterFirstUnlock: "c", .always: "d",
        ]
        for accessibility in Accessibility.allCases {
            #expect(letters[accessibility.availability] == accessibility.code.first)
        }
    }
}
