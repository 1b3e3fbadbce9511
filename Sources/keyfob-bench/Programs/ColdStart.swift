// SPDX-License-Identifier: Apache-2.0
internal import KeyfobEngine

/// `keyfob get` as a process of its own: start, open, log in, copy, end.
struct ColdStart {
    private let series: Series

    /// The keychain must not be open in this process while rounds run.
    ///
    /// - Throws: `BenchFailure` if there is no `keyfob` beside this program, or it does not get the value.
    init(_ keychain: BenchKeychain) throws {
        guard let program = Program.beside("keyfob") else {
            throw BenchFailure("there is no keyfob beside this program: build it for the cold start figures")
        }
        let pinFile = keychain.folder + "/pin"
        try Program.write(BenchKeychain.pin, to: pinFile)
        let arguments = [
            "get", BenchItem.service(0), "--account", BenchItem.account(0), "--home", keychain.home.path,
            "--pin-source", pinFile,
        ]
        series = Series("cold-get", batch: 1, batches: 5) { _ in
            let status = try Program.run(program, arguments)
            guard status == 0 else { throw BenchFailure("keyfob get ended with status \(status)") }
        }
        try series.round(isWarmUp: true)
    }

    func round() throws { try series.round() }

    func figure(peer: Double?) -> Figure {
        let limit = peer.map { Figure.Limit(value: $0, words: "secret-tool lookup") }
        return Figure("cold-get", "keyfob get, a process of its own", series.median, limit: limit, goal: .atMost(1))
    }
}
