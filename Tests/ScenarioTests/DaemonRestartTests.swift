// SPDX-License-Identifier: Apache-2.0
import KeyfobClient
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

/// A daemon that is killed and started again under programs that go on.
@Suite struct DaemonRestartTests {
    @Test func `A connected program goes on after the daemon was killed and started again`() throws {
        let lab = try DaemonLab()
        try lab.start()
        let shop = try ConnectedProgram(lab, as: .shop)
        #expect(shop.ask("save", "mail", "ann", "one") == ["0"])
        for round in 0..<3 {
            lab.killDaemon()
            #expect(shop.ask("load", "mail", "ann") == ["-25291"])
            try lab.start()
            // The first call after a restart is one that must not be sent twice.
            #expect(shop.ask("save", "mail", "round-\(round)", "x") == ["0"])
            #expect(shop.ask("load", "mail", "ann") == ["0", "one"])
        }
        #expect(shop.ask("accounts", "mail").count == 5)
    }

    @Test func `A daemon that was killed unlocks itself again from the source in its configuration`() throws {
        let lab = try DaemonLab()
        for _ in 0..<2 {
            try lab.start()
            #expect(try lab.client().status().lockState == .unlocked)
            lab.killDaemon()
        }
    }

    @Test func `Without a source it is before first unlock again, and items are refused until somebody unlocks it`()
        throws
    {
        let lab = try DaemonLab()
        try lab.removePINSource()
        try lab.start()
        #expect(try lab.client().status().lockState == .beforeFirstUnlock)
        let shop = try ConnectedProgram(lab, as: .shop)
        // Items are sealed under a class that the token opens after its first login.
        #expect(shop.ask("save", "mail", "ann", "one") == ["-25308"])
        try unlock(lab)
        #expect(shop.ask("save", "mail", "ann", "one") == ["0"])
        lab.killDaemon()
        try lab.start()
        #expect(try lab.client().status().lockState == .beforeFirstUnlock)
        #expect(shop.ask("load", "mail", "ann") == ["-25308"])
        #expect(shop.ask("overwrite", "mail", "ann", "two") == ["-25308"])
        try unlock(lab)
        #expect(shop.ask("load", "mail", "ann") == ["0", "one"])
        // After the first unlock the class stays usable when the keychain is locked.
        try lab.client().lock()
        #expect(shop.ask("load", "mail", "ann") == ["0", "one"])
    }

    @Test func `The keychain of a killed daemon is found whole`() throws {
        let lab = try DaemonLab()
        try lab.start()
        for account in ["ann", "bob"] { #expect(try lab.run(["save", "mail", account, "x"], as: .shop) == ["0"]) }
        lab.killDaemon()
        try lab.start()
        let report = try lab.client().verify { _, _ in }
        #expect(report.verified == 2)
        #expect(report.findings.isEmpty)
    }

    private func unlock(_ lab: DaemonLab) throws {
        try lab.client().unlock(SecretBytes(copying: lab.keychain.pin), finalTry: false)
    }
}
