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
        report.figures = try measure(keychain)
        keychain.close()
        let size = Double(keychain.storeSize - emptySize) / Double(items)
        report.figures.append(Figure("store-bytes", "store, bytes an item", size, .bytes))
        report.figures.append(
            Figure("fill", "filling, adds a second, 32 writers", Double(items) / filling * 1e6, .rate))
        if options.startsPrograms { try measurePrograms(keychain, &report) }
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

    private func measure(_ keychain: BenchKeychain) throws -> [Figure] {
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
        for _ in 0..<options.rounds {
            for series in all { try series.round() }
            try writers.round()
            try served.round()
        }
        return limits.figures + reading.figures(limits) + writing.figures(limits) + writers.figures
            + served.figures(embedded: reading.copyTime) + life.figures
    }

    /// What runs as programs of their own; the cold starts need the keychain closed here.
    private func measurePrograms(_ keychain: BenchKeychain, _ report: inout Report) throws {
        var times = SecretServiceTimes()
        do throws(BenchFailure) {
            let peer = try SecretServicePeer.measure(rounds: options.rounds)
            times = peer.times
            report.remarks += peer.remarks
        } catch {
            report.remarks.append("libsecret and gnome-keyring were not measured: \(error.words)")
        }
        if let copy = report.figures.firstIndex(where: { $0.id == "daemon-copy" }),
            let figure = times.figure(copy: report.figures[copy].value)
        {
            report.figures.insert(figure, at: copy + 1)
        }
        do {
            let cold = try ColdStart(keychain)
            for _ in 0..<options.rounds { try cold.round() }
            if let tool = times.tool {
                report.figures.append(Figure("secret-tool", "secret-tool lookup, gnome-keyring", tool))
            }
            report.figures.append(cold.figure(peer: times.tool))
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
