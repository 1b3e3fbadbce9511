// SPDX-License-Identifier: Apache-2.0
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct SlotListTests {
    @Test func `A thread that asks for the slots waits for one that is asking`() throws {
        let plan = FaultPlan()
        let module = try Module.load(path: SoftHSM.shared.modulePath, interposer: plan)
        let before = module.calls.calls(of: .getSlotList)
        let gate = plan.hang(.getSlotList)
        let first = Background { try module.tokens().count }
        gate.waitForArrival()
        let second = Background { try module.tokens().count }
        // One that did not wait would have asked within a moment.
        let deadline = ContinuousClock.now + .milliseconds(200)
        while ContinuousClock.now < deadline, module.calls.calls(of: .getSlotList) == before + 1 {}
        #expect(module.calls.calls(of: .getSlotList) == before + 1)
        gate.open()
        _ = try first.value()
        _ = try second.value()
    }
}
