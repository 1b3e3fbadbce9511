// SPDX-License-Identifier: Apache-2.0

extension SearchGrowth {
    /// The table for people: a line a search, a column a size, then largest by smallest.
    var table: String {
        guard let first = reports.first, let last = reports.last else { return "" }
        var rows = [["search"] + reports.map { "\($0.items) items" } + ["ratio", "goal", ""]]
        for (index, figure) in last.figures.enumerated() {
            let times = reports.map { Report.amount($0.figures[index].value, figure.unit) }
            let ratio = figure.ratio.map { Report.decimal($0, 2) } ?? ""
            rows.append([figure.words] + times + [ratio, Report.words(figure), Report.verdict(figure.isMet)])
        }
        return "search by attributes, medians of \(first.rounds) rounds; ratio: largest by smallest\n\n"
            + Report.aligned(rows) { $0 > 0 && $0 <= reports.count + 1 }
    }
}
