// SPDX-License-Identifier: Apache-2.0
import KeyfobTestSupport
import Testing

@testable import KeyfobPKCS11

/// How many sessions are asked of a token and of a module.
@Suite(.lendsTokens) struct SessionLimitTests {
    @Test(arguments: [(nil, 4), (100, 4), (5, 3), (3, 1), (1, 1)] as [(Int?, Int)])
    func `The pool leaves two of the sessions that a token allows to others`(allowed: Int?, limit: Int) throws {
        let found = try SoftHSMToken.make().open()
        var info = try found.info()
        info.maxSessionCount = allowed
        #expect(Token(module: found.module, slot: found.slot, info: info).sessionLimit == limit)
    }

    @Test func `A module that does not stand threads is known by its maker`() {
        let fragile = ModuleInfo(manufacturer: "tpm2-software.github.io", description: "", version: "1.9")
        let sound = ModuleInfo(manufacturer: "SoftHSM", description: "", version: "2.6")
        #expect(fragile.isFragileUnderThreads)
        #expect(!sound.isFragileUnderThreads)
    }
}
