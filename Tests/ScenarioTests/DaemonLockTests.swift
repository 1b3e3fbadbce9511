// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobClient
import KeyfobModel
import KeyfobTestSupport
import Testing

/// What locks the keychain of the real daemon without being asked, and what people are told of it.
@Suite struct DaemonLockTests {
    /// A daemon beside a logind of the test, whose delay is taken, with an item of an unlocked device.
    private func lab(_ bus: TestBus) throws -> (lab: DaemonLab, shop: ConnectedProgram) {
        let lab = try DaemonLab()
        try lab.start(environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
        #expect(bus.delayer().words == "inhibit sleep delay Keyfob")
        let shop = try ConnectedProgram(lab, as: .shop)
        #expect(shop.ask("save", "mail", "ann", "one") == ["0"])
        return (lab, shop)
    }

    private func locks(_ lab: DaemonLab, _ reason: LockReason) throws -> Bool {
        try DaemonLab.waits {
            let status = try lab.client().status()
            return status.lockState == .locked && status.lastLock?.reason == reason
        }
    }

    private func stateLines(_ lab: DaemonLab) throws -> [String] {
        try lab.keyfob(["status"], as: lab.user).output.filter {
            $0.hasPrefix("state ") || $0.hasPrefix("locked at ") || $0.hasPrefix("locks itself ")
        }
    }

    // MARK: - Sleep

    @Test func `The machine sleeps with a locked keychain, and it stays locked when it wakes`() throws {
        let bus = try TestBus()
        let (lab, shop) = try lab(bus)
        #expect(shop.ask("load", "mail", "ann") == ["0", "one"])
        #expect(bus.ask("sleep") == "asleep")
        // It was locked before the delay was let go: nothing has to be waited for.
        let status = try lab.client().status()
        #expect(status.lockState == .locked)
        #expect(status.lastLock?.reason == .suspend)
        #expect(shop.ask("load", "mail", "ann") == ["-25308"])
        #expect(bus.ask("wake") == "awake")
        #expect(bus.delayer().words == "inhibit sleep delay Keyfob")
        #expect(try lab.client().status().lockState == .locked)
        let lines = try stateLines(lab)
        #expect(lines.first?.hasSuffix("locked: the machine was about to sleep") == true, "\(lines)")
        #expect(lines.dropFirst().first?.hasSuffix("Z; keyfob unlock unlocks it") == true, "\(lines)")
        #expect(lines.last?.hasSuffix("before the machine sleeps") == true, "\(lines)")
    }

    @Test func `The audit log and its table name the sleep`() throws {
        let bus = try TestBus()
        let (lab, shop) = try lab(bus)
        withExtendedLifetime(shop) {}
        #expect(bus.ask("sleep") == "asleep")
        let events = try lab.client().audit(AuditQuery()).map(\.event)
        #expect(events.filter { $0.action == .lock }.map(\.lockReason) == [.suspend])
        let table = try lab.keyfob(["audit"], as: lab.user).output
        #expect(table.contains { $0.contains(" lock ") && $0.contains(" suspend ") }, "\(table)")
    }

    @Test func `A bus that vanishes hurts nobody, and the status says what is missing`() throws {
        let bus = try TestBus()
        let (lab, shop) = try lab(bus)
        bus.end()
        #expect(lab.logs("the machine's sleep is not watched"))
        #expect(shop.ask("load", "mail", "ann") == ["0", "one"])
        #expect(try lab.client().status().triggers == LockTriggers(suspend: .unavailable))
        #expect(try stateLines(lab).last?.hasSuffix("not before sleep: no system bus, or no logind") == true)
        lab.signal(SIGTERM)
        #expect(lab.daemon?.wait() == 0)
    }

    @Test func `Where there is no bus it starts, says so once, and serves`() throws {
        let lab = try DaemonLab()
        try lab.start(environment: ["DBUS_SYSTEM_BUS_ADDRESS": TestBus.nowhere])
        #expect(lab.logs("the machine's sleep is not watched: no system bus, or no logind"))
        #expect(try lab.run(["save", "mail", "ann", "one"], as: .shop) == ["0"])
        lab.signal(SIGTERM)
        #expect(lab.daemon?.wait() == 0)
        #expect(lab.log.components(separatedBy: "sleep is not watched").count == 2)
    }

    // MARK: - Time without use

    @Test func `Without use the keychain is locked, and what needs no login goes on`() throws {
        let lab = try DaemonLab()
        try lab.start(["--system", "--idle", "1s"])
        #expect(try locks(lab, .idle))
        let lines = try stateLines(lab)
        #expect(lines.first?.hasSuffix("locked: idle for 1 second") == true, "\(lines)")
        #expect(lines.last?.contains("after 1 second without use") == true, "\(lines)")
        #expect(try lab.run(["save", "mail", "ann", "one"], as: .shop) == ["-25308"])
        let json = try lab.keyfob(["status", "--json"], as: lab.user).output.joined()
        #expect(json.contains("\"lastLock\": {\"reason\": \"idle\", \"time\": \"20"), "\(json)")
        #expect(json.contains("\"autoLock\": {\"idleSeconds\": 1, "), "\(json)")
    }

    @Test func `The time may stand in the configuration, and the command line wins over it`() throws {
        let lab = try DaemonLab()
        try lab.editConfiguration { $0.replacing("{\n", with: "{\n  \"idle\": \"1s\",\n") }
        try lab.start()
        #expect(try locks(lab, .idle))
        lab.signal(SIGTERM)
        #expect(lab.daemon?.wait() == 0)
        try lab.start(["--system", "--idle", "never"])
        #expect(try lab.client().status().triggers?.idleSeconds == nil)
    }

    @Test func `By default no time locks the keychain`() throws {
        let lab = try DaemonLab()
        try lab.start()
        #expect(try lab.client().status().triggers?.idleSeconds == nil)
    }

    @Test func `A program that works while locks come is refused or served whole`() throws {
        let lab = try DaemonLab()
        try lab.start(["--system", "--idle", "1s"])
        let shop = try ConnectedProgram(lab, as: .shop)
        #expect(shop.ask("save", "mail", "ann", "one") == ["0"])
        // Each answer before the lock is the value, each one after it the refusal, and there is nothing else.
        var answers: Set<[String]> = []
        for _ in 0..<400 { answers.insert(shop.ask("load", "mail", "ann")) }
        #expect(answers.isSubset(of: [["0", "one"], ["-25308"]]), "\(answers)")
        #expect(try locks(lab, .idle))
        answers.removeAll()
        for _ in 0..<20 { answers.insert(shop.ask("load", "mail", "ann")) }
        #expect(answers == [["-25308"]])
    }

    // MARK: - Signal and request

    @Test func `A lock by signal and one on request are told apart`() throws {
        let lab = try DaemonLab()
        try lab.start()
        lab.signal(SIGUSR1)
        #expect(try locks(lab, .signal))
        #expect(try stateLines(lab).first?.hasSuffix("locked: SIGUSR1") == true)
        let unlocked = try lab.keyfob(["unlock", "--pin-source", lab.keychain.pinFile], as: .root)
        #expect(unlocked.status == 0, "\(unlocked.error)")
        // The last lock is still known, and is nobody's business while the keychain is unlocked.
        #expect(try stateLines(lab).first?.hasSuffix(" unlocked") == true)
        #expect(try lab.keyfob(["lock"], as: lab.user).status == 0)
        #expect(try locks(lab, .explicit))
        #expect(try stateLines(lab).first?.hasSuffix("locked: on request") == true)
    }
}
