// SPDX-License-Identifier: Apache-2.0
import KeyfobTestSupport
import Testing

@testable import KeyfobPKCS11

@Suite struct SessionTurnTests {
    private func turns(_ manufacturer: String) -> SessionTurns {
        let turns = SessionTurns()
        turns.note(ModuleInfo(manufacturer: manufacturer, description: "", version: "1.9"))
        return turns
    }

    @Test func `Sessions of tpm2-pkcs11 are opened by one thread at a time`() {
        let turns = turns("tpm2-software.github.io")
        let inside = Shared(0)
        let most = Shared(0)
        Threads.run(4) { _ in
            for _ in 0..<1_000 {
                turns.take {
                    inside.change { $0 += 1 }
                    let now = inside.now
                    most.change { $0 = max($0, now) }
                    inside.change { $0 -= 1 }
                }
            }
        }
        #expect(most.now == 1)
    }

    @Test func `Sessions of other modules are opened while others are`() {
        let turns = turns("SoftHSM")
        // Would wait for itself for good.
        #expect(turns.take { turns.take { 7 } } == 7)
    }
}
