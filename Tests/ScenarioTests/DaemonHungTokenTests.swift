// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobClient
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// A token that stops answering in the middle of a call.
@Suite struct DaemonHungTokenTests {
    /// A daemon whose module is scripted.
    private struct HungLab {
        let lab: DaemonLab
        let script: MockScriptFile

        init(deadline: Int) throws {
            lab = try DaemonLab()
            script = MockScriptFile(lab.runtime + "/script")
            let mock = try DaemonPrograms.path("libCKeyfobMockModule.so")
            try lab.editConfiguration { text in
                text.replacing(#/module-path=[^"&]*/#, with: "module-path=\(mock)")
                    .replacing("{\n", with: "{\n  \"request-deadline\": \(deadline),\n", maxReplacements: 1)
            }
            try lab.start(environment: script.environment)
        }

        /// The next C_Decrypt hangs.
        func arm() throws { try script.write(script.logs, .hang(.decrypt)) }

        /// Waits until a call hangs.
        func waitUntilHung() -> Bool { DaemonLab.waits { script.calls(of: "C_Decrypt") > 0 } }

        /// Lets the call that hangs come back.
        func release() throws { try script.write(.release) }

        func stuckWorkers() throws -> Int { try lab.client().daemonStatus().stuckWorkers }
    }

    @Test func `A call that hangs costs its request a timeout, and others go on meanwhile`() throws {
        let hung = try HungLab(deadline: 1)
        let victim = try ConnectedProgram(hung.lab, as: .shop)
        let other = try ConnectedProgram(hung.lab, as: .shop)
        #expect(victim.ask("save", "mail", "ann", "pw") == ["0"])
        try hung.arm()
        let start = ContinuousClock.now
        victim.begin("load", "mail", "ann")
        #expect(hung.waitUntilHung())
        // While it hangs and before its deadline, and after it.
        #expect(other.ask("load", "mail", "ann") == ["0", "pw"])
        #expect(victim.answer() == ["-25291"])
        // The configured second has passed, and not the thirty that are usual.
        let took = ContinuousClock.now - start
        #expect(took >= .seconds(1) && took < .seconds(15), "\(took)")
        #expect(hung.lab.log.contains("hangs; its thread is written off"))
        #expect(other.ask("load", "mail", "ann") == ["0", "pw"])
        #expect(other.ask("save", "mail", "bob", "pw") == ["0"])
        #expect(victim.ask("load", "mail", "ann") == ["0", "pw"])
        #expect(try hung.stuckWorkers() == 1)
        let status = try hung.lab.keyfob(["status"], as: .shop)
        #expect(status.output.contains { $0.contains("1 STUCK in the token") }, "\(status)")
        try hung.release()
        #expect(try DaemonLab.waits { try hung.stuckWorkers() == 0 })
        #expect(victim.ask("load", "mail", "bob") == ["0", "pw"])
    }

    @Test func `The program is told that the token did not answer in time`() throws {
        let hung = try HungLab(deadline: 1)
        #expect(try hung.lab.run(["save", "mail", "ann", "pw"], as: .shop) == ["0"])
        try hung.arm()
        let got = try hung.lab.keyfob(["get", "mail", "--account", "ann"], as: .shop)
        #expect(got.status != 0)
        #expect(got.error.contains("did not answer in time"), "\(got)")
        try hung.release()
    }

    @Test func `A daemon with a call that hangs stops all the same`() throws {
        let hung = try HungLab(deadline: 1)
        #expect(try hung.lab.run(["save", "mail", "ann", "pw"], as: .shop) == ["0"])
        try hung.arm()
        #expect(try hung.lab.run(["load", "mail", "ann"], as: .shop) == ["-25291"])
        hung.lab.signal(SIGTERM)
        #expect(hung.lab.daemon?.wait() == 0)
        unsafe #expect(access(hung.lab.socket, F_OK) != 0)
    }

    @Test(arguments: ["0", "601", "-1", "1.5", "\"30\"", "true"])
    func `A deadline that is no number of seconds from 1 to 600 is refused by name`(value: String) throws {
        let lab = try DaemonLab()
        try lab.editConfiguration {
            $0.replacing("{\n", with: "{\n  \"request-deadline\": \(value),\n", maxReplacements: 1)
        }
        let failure = try #require(throws: SpawnedProgram.Failure.self) { try lab.start() }
        #expect(failure.call.contains("request-deadline"))
        #expect(failure.call.contains("from 1 to 600"))
    }
}
