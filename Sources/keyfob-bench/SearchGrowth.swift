// SPDX-License-Identifier: Apache-2.0

/// The searches of keychains of several sizes, beside each other: each should cost what it returns, not what is stored.
struct SearchGrowth {
    /// One report a size, in the order of the sizes; from the second on each figure has the first size's as its limit.
    let reports: [Report]

    /// Most that the largest keychain may cost, as a multiple of the smallest.
    private static let goal = 1.5

    /// Makes a keychain of each size, one after the other, and gives each search all its turns.
    init(_ options: BenchOptions) throws {
        var reports: [Report] = []
        for size in options.sizes.sorted() {
            guard size >= 10 else { throw BenchFailure("--search-growth needs ten items or more") }
            let keychain = try BenchKeychain()
            try keychain.fill(0..<size)
            let searching = Searching(keychain, items: size)
            for search in searching.searches { try search.series.round(isWarmUp: true) }
            for _ in 0..<options.rounds {
                for search in searching.searches { try search.series.round() }
            }
            var report = Report(items: size, rounds: options.rounds)
            for (index, search) in searching.searches.enumerated() {
                let first = reports.first?.figures[index].value
                report.figures.append(
                    Figure(
                        search.series.name, search.words, search.series.median,
                        limit: first.map { .init(value: $0, words: "smallest") },
                        goal: first.map { _ in .atMost(Self.goal) }))
            }
            reports.append(report)
            keychain.close()
        }
        self.reports = reports
    }
}
