// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobClient
import KeyfobModel
import KeyfobTestSupport
import Synchronization
import Testing

/// Kills the daemon at random moments while programs write through it; whatever it acknowledged must be there.
@Suite struct DaemonCrashTests {
    /// As many rounds as `scripts/crash` says, else what fits the suite.
    private static var rounds: Int {
        ProcessInfo.processInfo.environment["KEYFOB_CRASH_ROUNDS"].flatMap { Int($0) } ?? 15
    }

    @Test func `Every acknowledged write survives kills of the daemon at random moments`() throws {
        var random = SeededRandom.fresh()
        let seed = random.seed
        print("crash test: KEYFOB_TEST_SEED=\(seed), \(Self.rounds) rounds")
        let lab = try DaemonLab()
        try lab.start()
        let writers = try (0..<4).map { try CrashWriter(lab, "writer-\($0)", seed: random.next()) }
        var acknowledged = 0
        for round in 1...Self.rounds {
            let patience = UInt32.random(in: 0...150_000, using: &random)
            let counts = Mutex(0)
            let pid = try #require(lab.daemon?.pid)
            Threads.run(writers.count + 1) { number in
                guard number < writers.count else {
                    // The moment itself is what is random.
                    usleep(patience)
                    kill(pid, SIGKILL)
                    return
                }
                let count = writers[number].writeUntilItFails()
                counts.withLock { $0 += count }
            }
            acknowledged += counts.withLock { $0 }
            lab.killDaemon()
            if Bool.random(using: &random) {
                // Killed once more on its way up, where it logs in and the token writes its own file.
                try lab.launch()
                usleep(UInt32.random(in: 0...80_000, using: &random))
                lab.killDaemon()
            }
            try lab.start()
            for writer in writers {
                let fault = writer.check()
                try #require(fault == nil, "seed \(seed), round \(round): \(fault ?? "")")
            }
            if round % 5 == 0 || round == Self.rounds {
                let report = try lab.client().verify { _, _ in }
                try #require(report.findings.isEmpty, "seed \(seed), round \(round): \(report.findings)")
            }
            if round % 10 == 0 { print("crash test: round \(round) of \(Self.rounds), \(acknowledged) writes so far") }
        }
        #expect(acknowledged > Self.rounds, "seed \(seed): nearly nothing was written")
    }
}

/// A program that writes, and what the keychain must hold of it: used by one thread at a time.
private final class CrashWriter: @unchecked Sendable {
    private let program: ConnectedProgram
    private let service: String
    private var random: SeededRandom
    /// What was acknowledged.
    private var known: [Int: String] = [:]
    /// The account whose last write was not answered, and its value after that write if it was done.
    private var open: (number: Int, value: String?)?

    init(_ lab: DaemonLab, _ service: String, seed: UInt64) throws {
        program = try ConnectedProgram(lab, as: .shop)
        self.service = service
        random = SeededRandom(seed: seed)
    }

    /// Writes until the daemon is gone; how many writes were acknowledged.
    func writeUntilItFails() -> Int {
        var count = 0
        while true {
            let number = Int.random(in: 0..<30, using: &random)
            let value = String(random.next(), radix: 36)
            let answer: [String]
            let after: String?
            if known[number] == nil {
                after = value
                answer = program.ask("save", service, "\(number)", value)
            } else if Bool.random(using: &random) {
                after = value
                answer = program.ask("overwrite", service, "\(number)", value)
            } else {
                after = nil
                answer = program.ask("remove", service, "\(number)")
            }
            guard answer == ["0"] else {
                open = (number, after)
                refusal = answer
                return count
            }
            known[number] = after
            count += 1
        }
    }

    /// What ended the last round.
    private var refusal: [String] = []

    /// Compares the keychain with what was acknowledged; what is wrong, or nil.
    func check() -> String? {
        // A daemon that is gone is what ends a round, and nothing else.
        guard refusal == ["-25291"] else { return "\(service) ended with \(refusal)" }
        var found: [Int: String] = [:]
        let lines = program.ask("dump", service)
        guard lines.first == "0" || lines == ["-25300"] else { return "\(service) cannot be read: \(lines)" }
        for line in lines.dropFirst() {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let number = Int(parts[0]) else { return "\(service) holds \(line)" }
            found[number] = String(parts[1])
        }
        var possible = [known]
        if let open {
            var done = known
            done[open.number] = open.value
            possible.append(done)
        }
        guard possible.contains(found) else {
            return "\(service) holds \(found), acknowledged was \(known), open \(String(describing: open))"
        }
        known = found
        open = nil
        return nil
    }
}
