// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobClient
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

/// What locks the keychain of the real daemon without being asked, and what people are told of it.
@Suite struct DaemonLockTests {
    /// A user who has an account on every Debian system: a bus lets nobody else in.
    private static let nobody = TestUser(65_534)
    /// A service that may use that one's daemon.
    private static let guest = TestUser(61_003, groups: [61_003, 65_534])

    /// Has items that only an unlocked device gives out.
    private func program(_ lab: DaemonLab, as user: TestUser) throws -> ConnectedProgram {
        try ConnectedProgram(lab, as: user, environment: ["ITEM_ACCESSIBLE": "ak"])
    }

    /// A daemon beside a logind of the test, whose delay is taken, with an item of an unlocked device.
    private func lab(_ bus: TestBus) throws -> (lab: DaemonLab, shop: ConnectedProgram) {
        let lab = try DaemonLab(user: Self.nobody)
        try lab.start(environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
        #expect(bus.delayer().words == "inhibit sleep delay Keyfob")
        let shop = try program(lab, as: Self.guest)
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

    @Test func `A program at work when the machine sleeps is served whole up to the lock, and refused after it`() throws
    {
        let bus = try TestBus()
        let (lab, shop) = try lab(bus)
        var answers: [[String]] = []
        for number in 0..<300 {
            if number == 100 { bus.begin("sleep") }
            answers.append(shop.ask("load", "mail", "ann"))
        }
        #expect(bus.answer() == "asleep")
        for _ in 0..<20 { answers.append(shop.ask("load", "mail", "ann")) }
        let served = answers.prefix { $0 == ["0", "one"] }
        #expect(served.count >= 100)
        #expect(answers.dropFirst(served.count).allSatisfy { $0 == ["-25308"] }, "\(answers.dropFirst(served.count))")
        #expect(answers.last == ["-25308"])
        withExtendedLifetime(lab) {}
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
        let shop = try program(lab, as: .shop)
        #expect(try lab.run(["save", "news", "ann", "two"], as: .shop) == ["0"])
        #expect(try locks(lab, .idle))
        let lines = try stateLines(lab)
        #expect(lines.first?.hasSuffix("locked: idle for 1 second") == true, "\(lines)")
        #expect(lines.last?.contains("after 1 second without use") == true, "\(lines)")
        #expect(shop.ask("save", "mail", "ann", "one") == ["-25308"])
        #expect(shop.ask("load", "news", "ann") == ["0", "two"])
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

    // MARK: - Signal and request

    @Test func `A lock by signal and one on request are told apart`() throws {
        let lab = try DaemonLab()
        try lab.start()
        lab.signal(SIGUSR1)
        #expect(try locks(lab, .signal))
        #expect(try stateLines(lab).first?.hasSuffix("locked: SIGUSR1") == true)
        try lab.client().unlock(try SecretBytes(copying: lab.keychain.pin), finalTry: false)
        // The last lock is still known, and is nobody's business while the keychain is unlocked.
        #expect(try stateLines(lab).first?.hasSuffix(" unlocked") == true)
        #expect(try lab.keyfob(["lock"], as: lab.user).status == 0)
        #expect(try locks(lab, .explicit))
        #expect(try stateLines(lab).first?.hasSuffix("locked: on request") == true)
    }
}
