// SPDX-License-Identifier: Apache-2.0
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@Suite struct SlotListTests {
    /// In a process of its own, for SoftHSM ends it when two threads enter a new token into its table at once.
    @Test func `Threads may ask for the tokens while others make some`() async {
        await #expect(processExitsWith: .success) {
            let askers = (0..<4).map { _ in
                Background {
                    for _ in 0..<100 { _ = try SoftHSM.shared.module.tokens() }
                }
            }
            for _ in 0..<8 { _ = try SoftHSMToken.make(withPIN: false) }
            for asker in askers { try asker.value() }
        }
    }
}
