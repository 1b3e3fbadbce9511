// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobClient
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

/// The daemon's orderly end, and what happens when the disk or the token goes away under it.
@Suite struct DaemonStopTests {
    @Test func `Told to stop while programs write, it answers what runs, refuses the rest and leaves nothing behind`()
        throws
    {
        let lab = try DaemonLab()
        try lab.start()
        let writers = try (0..<4).map { _ in try ConnectedProgram(lab, as: .shop) }
        for (number, writer) in writers.enumerated() { writer.begin("fill", "writer-\(number)") }
        // Each is in the middle of it.
        for writer in writers { for _ in 0..<5 { #expect(writer.program.line() == "0") } }
        lab.signal(SIGTERM)
        #expect(lab.daemon?.wait() == 0)
        #expect(lab.log.contains("stopped"))
        unsafe #expect(access(lab.socket, F_OK) != 0)
        var acknowledged: [Int] = []
        for writer in writers {
            let lines = writer.answer()
            #expect(lines.dropLast().allSatisfy { $0 == "0" })
            #expect(lines.last == "-25291")
            acknowledged.append(5 + lines.count - 1)
        }
        try lab.start()
        for (number, count) in acknowledged.enumerated() {
            // A request that was being sent when it stopped may have been done without an answer.
            let found = writers[number].ask("accounts", "writer-\(number)").count - 1
            #expect(found == count || found == count + 1)
        }
    }

    @Test func `A program that asks after the stop is told that no daemon answers`() throws {
        let lab = try DaemonLab()
        try lab.start()
        lab.signal(SIGTERM)
        #expect(lab.daemon?.wait() == 0)
        let got = try lab.keyfob(["get", "mail"], as: .shop)
        #expect(got.status == 12)
        #expect(got.error.contains(lab.socket))
        #expect(got.error.contains("hint:"))
    }

    @Test func `While the token's folder is gone calls fail with an error, and afterwards everything is there`() throws
    {
        let lab = try DaemonLab()
        try lab.start()
        let shop = try ConnectedProgram(lab, as: .shop)
        #expect(shop.ask("save", "mail", "ann", "one") == ["0"])
        let token = lab.keychain.home + "/token"
        #expect(unsafe rename(token, token + ".gone") == 0)
        let answers = [shop.ask("save", "mail", "bob", "two"), shop.ask("load", "mail", "ann")]
        // A token that has its keys in memory still may go on; what it may not is lose something or end the daemon.
        for answer in answers { #expect(["0", "-25291"].contains(answer.first ?? ""), "\(answers)") }
        #expect(unsafe rename(token + ".gone", token) == 0)
        #expect(eventually { shop.ask("load", "mail", "ann") == ["0", "one"] })
        if answers[0] != ["0"] { #expect(shop.ask("save", "mail", "bob", "two") == ["0"]) }
        #expect(shop.ask("load", "mail", "bob") == ["0", "two"])
        #expect(try lab.client().verify { _, _ in }.findings.isEmpty)
    }

    @Test func `A token whose folder goes and comes back is used again without a new daemon`() throws {
        let lab = try DaemonLab()
        try lab.start()
        let shop = try ConnectedProgram(lab, as: .shop)
        #expect(shop.ask("save", "mail", "ann", "one") == ["0"])
        let token = lab.keychain.home + "/token"
        let logins = try lab.tokenCalls("C_Login")
        #expect(unsafe rename(token, token + ".gone") == 0)
        // Nobody has to ask for anything: the daemon looks for its token, and forgets what hung on it.
        #expect(try eventually { try lab.client().status().lockState == .noToken })
        #expect(shop.ask("load", "mail", "ann") == ["-25291"])
        #expect(shop.ask("save", "mail", "bob", "two") == ["-25291"])
        let error = try #require(throws: KeychainError.self) { try unlock(lab) }
        #expect(error.code == .notAvailable)
        #expect(error.remedy == .insertToken)
        #expect(try lab.tokenCalls("C_Login") == logins)
        let status = try lab.keyfob(["status"], as: lab.user)
        #expect(status.status == 0)
        #expect(status.output.contains { $0.contains("no token") }, "\(status.output)")
        #expect(status.output.contains { $0.hasPrefix("next") && $0.contains("insert the token") }, "\(status.output)")
        #expect(unsafe rename(token + ".gone", token) == 0)
        // SoftHSM does not look at a folder again that it has missed: its module is started anew, and the daemon unlocks
        // itself as it did at its start.
        #expect(try eventually { try lab.client().status().lockState == .unlocked })
        #expect(shop.ask("load", "mail", "ann") == ["0", "one"])
        #expect(shop.ask("save", "mail", "bob", "two") == ["0"])
        #expect(try lab.client().verify { _, _ in }.findings.isEmpty)
    }

    @Test func `While the token is away an item can be deleted through the daemon, and is gone when the token is back`()
        throws
    {
        let lab = try DaemonLab()
        try lab.start()
        let shop = try ConnectedProgram(lab, as: .shop)
        for account in ["ann", "bob"] { #expect(shop.ask("save", "mail", account, account) == ["0"]) }
        let token = lab.keychain.home + "/token"
        #expect(unsafe rename(token, token + ".gone") == 0)
        #expect(try eventually { try lab.client().status().lockState == .noToken })
        #expect(shop.ask("remove", "mail", "ann") == ["0"])
        #expect(shop.ask("remove", "mail", "ann") == ["-25300"])
        #expect(unsafe rename(token + ".gone", token) == 0)
        #expect(try eventually { try lab.client().status().lockState == .unlocked })
        #expect(shop.ask("load", "mail", "ann") == ["-25300"])
        #expect(shop.ask("load", "mail", "bob") == ["0", "bob"])
    }

    @Test func `A daemon that is started without the token says that it is not there, and starts when it is back`()
        throws
    {
        let lab = try DaemonLab()
        try lab.start()
        #expect(try lab.run(["save", "mail", "ann", "one"], as: .shop) == ["0"])
        lab.killDaemon()
        let token = lab.keychain.home + "/token"
        #expect(unsafe rename(token, token + ".gone") == 0)
        let failure = try #require(throws: SpawnedProgram.Failure.self) { try lab.start() }
        #expect(failure.call.contains("token"))
        #expect(lab.daemon?.wait() != 0)
        #expect(unsafe rename(token + ".gone", token) == 0)
        try lab.start()
        #expect(try lab.run(["load", "mail", "ann"], as: .shop) == ["0", "one"])
    }

    @Test func `On a full disk a write is refused as such, nothing is lost, and it goes on when there is room`() throws
    {
        let lab = try DaemonLab()
        // The keychain moves to a small file system of the daemon's own namespace; nothing outside sees it.
        let home = lab.keychain.home
        let script = """
            cp -a "\(home)" "\(home).copy" && mount -t tmpfs -o size=3m,mode=700,uid=\(lab.user.uid) none "\(home)" \
            && cp -a "\(home).copy/." "\(home)/" && exec "$0" "$@"
            """
        try lab.start(launcher: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script])
        let pid = try #require(lab.daemon?.pid)
        let inside = "/proc/\(pid)/root\(home)"
        let shop = try ConnectedProgram(lab, as: .shop)
        #expect(shop.ask("save", "mail", "ann", "one") == ["0"])
        let filling = try LiveProgram(
            path: "/bin/dd", ["if=/dev/zero", "of=\(inside)/filling", "bs=4096", "status=none"])
        #expect(filling.wait() != 0)
        let refused = shop.ask("fill", "disk")
        #expect(refused.last == "-34", "\(refused.suffix(2)) \(lab.log)")
        #expect(shop.ask("load", "mail", "ann") == ["0", "one"])
        #expect(shop.ask("overwrite", "mail", "ann", "two") == ["-34"])
        #expect(shop.ask("load", "mail", "ann") == ["0", "one"])
        // A login has the token write its own file, for which there is no room either.
        try lab.client().lock()
        do throws(KeychainError) { try unlock(lab) } catch { #expect(error.code == .diskFull, "\(error)") }
        unsafe #expect(unlink("\(inside)/filling") == 0)
        try unlock(lab)
        #expect(shop.ask("overwrite", "mail", "ann", "two") == ["0"])
        #expect(shop.ask("load", "mail", "ann") == ["0", "two"])
        let written = refused.count { $0 == "0" }
        let found = shop.ask("accounts", "disk")
        #expect(written == 0 ? found == ["-25300"] : found.count == written + 1)
        #expect(try lab.client().verify { _, _ in }.findings.isEmpty)
    }

    private func unlock(_ lab: DaemonLab) throws(KeychainError) {
        let pin: SecretBytes
        do throws(SecretMemoryError) { pin = try SecretBytes(copying: lab.keychain.pin) } catch {
            throw KeychainError(error, .unlock)
        }
        try lab.client().unlock(pin, finalTry: false)
    }
}
