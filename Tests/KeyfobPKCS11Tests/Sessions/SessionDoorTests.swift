// SPDX-License-Identifier: Apache-2.0
import KeyfobTestSupport
import Testing

@testable import KeyfobPKCS11

/// Sessions that their owners open beside the pool's, in several threads.
@Suite(.lendsTokens) struct SessionDoorTests {
    /// Whether a thread opens a session while the call of another hangs.
    private func opens(besideHanging function: CryptokiFunction) throws -> Bool {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().open(interposer: plan)
        let gate = plan.hang(function)
        let first = Background { _ = try token.openSession(readWrite: true) }
        gate.waitForArrival()
        let second = Background { _ = try token.openSession(readWrite: true) }
        // One that did not wait would have opened within a moment.
        let deadline = ContinuousClock.now + .milliseconds(200)
        while ContinuousClock.now < deadline, token.calls.calls(of: .openSession) == 1 {}
        let opened = token.calls.calls(of: .openSession) > 1
        gate.open()
        try first.value()
        try second.value()
        #expect(token.calls.calls(of: .openSession) == 2)
        #expect(token.calls.calls(of: .closeSession) == 2)
        return opened
    }

    @Test(arguments: [CryptokiFunction.openSession, .closeSession])
    func `A thread that opens a session waits for one that is opening or closing`(function: CryptokiFunction) throws {
        #expect(try !opens(besideHanging: function))
    }

    @Test func `A session in use keeps nobody from opening one`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().open(interposer: plan)
        let gate = plan.hang(.generateRandom)
        let first = Background {
            let session = try token.openSession(readWrite: true)
            _ = try session.generateRandom(1)
        }
        gate.waitForArrival()
        _ = try token.openSession(readWrite: true)
        #expect(token.calls.calls(of: .openSession) == 2)
        gate.open()
        try first.value()
    }

    @Test func `A call that hangs in the door is passed by`() throws {
        let door = SessionDoor()
        let gate = Gate()
        let first = Background {
            door.pass {
                gate.pass()
                return .ok
            }
        }
        gate.waitForArrival()
        #expect(door.pass(patience: .milliseconds(20)) { .sessionCount } == .sessionCount)
        gate.open()
        #expect(try first.value() == .ok)
    }
}
