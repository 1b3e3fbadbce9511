// SPDX-License-Identifier: Apache-2.0
import KeyfobClient
import KeyfobModel
import KeyfobTestSupport
import Testing

/// Many programs at once.
@Suite struct DaemonLoadTests {
    @Test func `With a thousand idle connections sixty-four programs work at once, and no call fails`() throws {
        let lab = try DaemonLab()
        try lab.start()
        #expect(try lab.run(["save", "mail", "ann", "pw"], as: .mail) == ["0"])
        let idle = try lab.start(["hold", lab.socket, "1000"], as: .shop)
        #expect(idle.line() == "held 1000", "\(idle.errorText)")
        let programs = try (0..<64).map { _ in try ConnectedProgram(lab, as: .mail) }
        // All are connected before the first one is measured.
        for program in programs { #expect(program.ask("load", "mail", "ann") == ["0", "pw"]) }
        #expect(try lab.client().daemonStatus().connections >= 1064)
        for program in programs { program.begin("measure", "mail", "ann", "20") }
        var times: [Int] = []
        for program in programs {
            let lines = program.answer()
            #expect(lines.allSatisfy { Int($0) != nil }, "\(lines.filter { Int($0) == nil })")
            times += lines.compactMap { Int($0) }
        }
        #expect(times.count == 64 * 20)
        times.sort()
        print("64 programs at once: p50 \(times[times.count / 2]) µs, p99 \(times[times.count * 99 / 100]) µs")
        idle.proceed()
        #expect(idle.line() == "alive 1000")
    }
}
