// SPDX-License-Identifier: Apache-2.0

/// One line of the report.
struct Figure {
    enum Unit: String {
        case microseconds = "us"
        case bytes = "B"
        case mebibytes = "MiB"
        /// Operations in a second.
        case rate = "1/s"
        case percent = "%"
    }

    /// What the figure is compared with.
    struct Limit {
        let value: Double
        /// What the limit is made of.
        let words: String
    }

    /// What the ratio of figure and limit is to be.
    enum Goal {
        case atMost(Double)
        case atLeast(Double)
        /// The figure itself, not its ratio.
        case figureAtMost(Double)
    }

    /// Stable name for machines.
    let id: String
    /// For people.
    let words: String
    let value: Double
    let unit: Unit
    var limit: Limit?
    var goal: Goal?

    init(
        _ id: String, _ words: String, _ value: Double, _ unit: Unit = .microseconds, limit: Limit? = nil,
        goal: Goal? = nil
    ) {
        self.id = id
        self.words = words
        self.value = value
        self.unit = unit
        self.limit = limit
        self.goal = goal
    }

    /// Figure divided by limit.
    var ratio: Double? {
        guard let limit, limit.value > 0 else { return nil }
        return value / limit.value
    }

    /// Whether the goal is met; nil without one.
    var isMet: Bool? {
        switch goal {
        case .atMost(let most): ratio.map { $0 <= most }
        case .atLeast(let least): ratio.map { $0 >= least }
        case .figureAtMost(let most): value <= most
        case nil: nil
        }
    }
}

/// Everything that was measured in a keychain of one size.
struct Report {
    let items: Int
    let rounds: Int
    var figures: [Figure] = []
    /// What was not measured, and why.
    var remarks: [String] = []
}
