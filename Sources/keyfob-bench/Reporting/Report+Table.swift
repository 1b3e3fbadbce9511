// SPDX-License-Identifier: Apache-2.0

extension Report {
    /// The table for people.
    var table: String {
        var rows = [["", "figure", "limit", "ratio", "goal", ""]]
        rows += figures.map { figure in
            [
                figure.words, Self.amount(figure.value, figure.unit),
                figure.limit.map { "\(Self.amount($0.value, figure.unit)) (\($0.words))" } ?? "",
                figure.ratio.map { Self.decimal($0, 2) } ?? "", Self.words(figure), Self.verdict(figure.isMet),
            ]
        }
        let lines = [
            "\(items) items, medians of \(rounds) rounds", "", Self.aligned(rows) { $0 == 1 || $0 == 3 },
        ]
        return (lines + remarks.map { "\n\($0)" }).joined(separator: "\n")
    }

    /// The rows with their columns under each other; those of numbers end at one place.
    static func aligned(_ rows: [[String]], isNumber: (Int) -> Bool) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return isNumber(column) ? padding + cell.0 : cell.0 + padding
            }.joined(separator: "  ")
        }
        return lines.joined(separator: "\n")
    }

    static func words(_ figure: Figure) -> String {
        switch figure.goal {
        case .atMost(let most): "<= \(decimal(most, 1))"
        case .atLeast(let least): ">= \(decimal(least, 1))"
        case .figureAtMost(let most): "<= \(amount(most, figure.unit))"
        case nil: ""
        }
    }

    static func verdict(_ isMet: Bool?) -> String {
        guard let isMet else { return "" }
        return isMet ? "met" : "MISSED"
    }

    static func amount(_ value: Double, _ unit: Figure.Unit) -> String {
        switch unit {
        case .microseconds where value >= 10_000: "\(decimal(value / 1000, 1)) ms"
        case .microseconds: "\(decimal(value, value < 100 ? 2 : 0)) us"
        case .bytes, .rate: "\(decimal(value, 0)) \(unit.rawValue)"
        case .mebibytes, .percent: "\(decimal(value, 1)) \(unit.rawValue)"
        }
    }

    static func decimal(_ value: Double, _ places: Int) -> String {
        let scale = (0..<places).reduce(1.0) { product, _ in product * 10 }
        let scaled = (value * scale).rounded()
        guard places > 0, scaled.magnitude < 1e15 else { return "\(Int(scaled))" }
        let whole = Int(scaled) / Int(scale)
        let digits = "\(abs(Int(scaled) % Int(scale)))"
        return "\(whole)." + String(repeating: "0", count: places - digits.count) + digits
    }
}
