// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// `keyfob sandbox` as a process of its own: how long until its command runs, with keychain and daemon.
final class SandboxStart {
    private let program: String
    private var ready: [Double] = []
    private var whole: [Double] = []

    /// - Throws: `BenchFailure` if `keyfob` or `keyfobd` is not beside this program.
    init() throws(BenchFailure) {
        guard let program = Program.beside("keyfob"), Program.beside("keyfobd") != nil else {
            throw BenchFailure("there is no keyfob or no keyfobd beside this program")
        }
        self.program = program
    }

    func round() throws(BenchFailure) {
        let (reading, writing) = try Program.pipe()
        defer { close(reading) }
        let start = Stopwatch.now
        let child: pid_t
        do {
            defer { close(writing) }
            child = try Program.start(program, ["sandbox", "--", "echo"], output: writing)
        }
        var byte: UInt8 = 0
        let count = unsafe read(reading, &byte, 1)
        let running = Stopwatch.now
        let status = Program.wait(for: child)
        guard count == 1, status == 0 else { throw BenchFailure("keyfob sandbox ended with status \(status)") }
        ready.append(running - start)
        whole.append(Stopwatch.now - start)
    }

    var figures: [Figure] {
        [
            Figure(
                "sandbox-ready", "keyfob sandbox, until its command runs", ready.median, goal: .figureAtMost(300_000)),
            Figure("sandbox", "keyfob sandbox, until nothing is left", whole.median),
        ]
    }
}
