// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import Security

/// One keychain of one size, measured from all sides.
struct Measurement {
    private let items: Int
    private let options: BenchOptions

    init(items: Int, _ options: BenchOptions) {
        self.items = items
        self.options = options
    }

    /// Makes the keychain, fills it, gives every scenario its turns and removes it.
    func report() throws -> Report {
        var report = Report(items: items, rounds: options.rounds)
        let keychain = try BenchKeychain()
        keychain.close()
        let emptySize = keychain.storeSize
        try keychain.open()
        try keychain.unlock()
        let filling = try Stopwatch.time { try keychain.fill(0..<items) }
        let peer = options.startsPrograms ? SecretServicePeer() : nil
        report.figures = try measure(keychain, peer)
        keychain.close()
        let size = Double(keychain.storeSize - emptySize) / Double(items)
        report.figures.append(Figure("store-bytes", "store, bytes an item", size, .bytes))
        report.figures.append(
            Figure("fill", "filling, adds a second, 32 writers", Double(items) / filling * 1e6, .rate))
        if let peer {
            try measurePrograms(keychain, peer, &report)
            report.remarks = peer.remarks + report.remarks
        }
        return report
    }

    /// Gives one scenario all turns.
    func profile(_ id: String) throws {
        let keychain = try BenchKeychain()
        try keychain.fill(0..<items)
        ServiceSelection.install(keychain.service)
        defer { ServiceSelection.install(nil) }
        let all =
            try Limits(keychain, items: items).series + Reading(keychain, items: items).series
            + Writing(keychain, items: items).series
        guard let series = all.first(where: { $0.name == id }) else { throw BenchFailure("\(id) is no scenario") }
        for _ in 0..<options.rounds { try series.round() }
    }

    private func measure(_ keychain: BenchKeychain, _ peer: SecretServicePeer?) throws -> [Figure] {
        let life = Life(keychain)
        for series in life.series { try series.round(isWarmUp: true) }
        for _ in 0..<options.rounds { for series in life.series { try series.round() } }
        // Opening made a new engine: all that follows works on this one.
        ServiceSelection.install(keychain.service)
        defer { ServiceSelection.install(nil) }
        let limits = try Limits(keychain, items: items)
        let reading = Reading(keychain, items: items)
        let writing = Writing(keychain, items: items)
        let writers = Writers(keychain, items: items)
        let served = try Served(keychain, items: items)
        let all = limits.series + reading.series + writing.series + served.series
        for series in all { try series.round(isWarmUp: true) }
        peer?.clientRound(isWarmUp: true)
        for _ in 0..<options.rounds {
            for series in all { try series.round() }
            peer?.clientRound()
            try writers.round()
            try served.round()
        }
        return limits.figures + reading.figures(limits) + writing.figures(limits) + writers.figures
            + served.figures(embedded: reading.copyTime, libsecret: peer?.clientTime) + life.figures
    }

    /// The cold starts, which need the keychain closed here.
    private func measurePrograms(_ keychain: BenchKeychain, _ peer: SecretServicePeer, _ report: inout Report) throws {
        do {
            let cold = try ColdStart(keychain)
            peer.toolRound(isWarmUp: true)
            for _ in 0..<options.rounds {
                try cold.round()
                peer.toolRound()
            }
            if let tool = peer.toolTime {
                report.figures.append(Figure("secret-tool", "secret-tool lookup, gnome-keyring", tool))
            }
            report.figures.append(cold.figure(peer: peer.toolTime))
        } catch let failure as BenchFailure {
            report.remarks.append("keyfob get was not measured: \(failure.words)")
        }
        do throws(BenchFailure) {
            let sandbox = try SandboxStart()
            for _ in 0..<options.rounds { try sandbox.round() }
            report.figures += sandbox.figures
        } catch {
            report.remarks.append("keyfob sandbox was not measured: \(error.words)")
        }
    }
}
