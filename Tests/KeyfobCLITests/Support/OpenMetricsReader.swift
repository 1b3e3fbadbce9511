// SPDX-License-Identifier: Apache-2.0

/// A reader of OpenMetrics text that refuses what the format forbids (OpenMetrics 1.0.0), as far as we use it.
struct OpenMetricsReader {
    struct Fault: Error, Equatable {
        let line: Int
        let words: String
    }

    struct Family: Equatable {
        var type: String
        var unit: String?
        var samples: [Sample] = []
    }

    struct Sample: Equatable {
        let name: String
        /// In the order in which they stand.
        let labels: [String: String]
        let value: Double
    }

    private(set) var families: [String: Family] = [:]
    private var current = ""
    private var line = 0

    init(_ text: String) throws(Fault) {
        guard text.hasSuffix("\n# EOF\n") else { throw Fault(line: 0, words: "does not end with # EOF") }
        for line in text.dropLast("# EOF\n".count).split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            self.line += 1
            try line.hasPrefix("#") ? take(descriptor: line) : take(sample: line)
        }
        for (name, family) in families where family.type == "histogram" { try checkHistogram(name, family) }
    }

    private mutating func take(descriptor line: Substring) throws(Fault) {
        let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts[0] == "#" else { throw fault("is no descriptor") }
        if parts[1] == "TYPE" {
            guard families[parts[2]] == nil else { throw fault("a second family of that name") }
            guard ["counter", "gauge", "histogram"].contains(parts[3]) else { throw fault("no type that we use") }
            current = parts[2]
            families[current] = Family(type: parts[3])
            return
        }
        guard parts[2] == current, families[current]?.samples.isEmpty == true else {
            throw fault("a descriptor apart from its family's type")
        }
        switch parts[1] {
        case "HELP": break
        case "UNIT":
            guard current.hasSuffix("_" + parts[3]) else { throw fault("the name does not end with the unit") }
            families[current]?.unit = parts[3]
        default: throw fault("no descriptor")
        }
    }

    private mutating func take(sample line: Substring) throws(Fault) {
        guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
            throw fault("no value")
        }
        let series = line[..<space]
        let name = series.prefix { $0 != "{" }
        let sample = Sample(name: String(name), labels: try labels(series.dropFirst(name.count)), value: value)
        guard let family = families[current] else { throw fault("a sample before any type") }
        let suffixes =
            switch family.type {
            case "counter": ["_total"]
            case "histogram": ["_bucket", "_sum", "_count"]
            default: [""]
            }
        guard suffixes.contains(where: { current + $0 == sample.name }) else {
            throw fault("a sample that is none of \(current), a \(family.type)")
        }
        guard !family.samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels }) else {
            throw fault("a series for the second time")
        }
        if family.type != "gauge", value < 0 { throw fault("a count below zero") }
        families[current]?.samples.append(sample)
    }

    private func labels(_ text: Substring) throws(Fault) -> [String: String] {
        guard !text.isEmpty else { return [:] }
        guard text.hasPrefix("{"), text.hasSuffix("}") else { throw fault("no labels") }
        var labels: [String: String] = [:]
        var rest = text.dropFirst().dropLast()
        while !rest.isEmpty {
            let name = rest.prefix { $0 != "=" }
            rest = rest.dropFirst(name.count)
            guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "_") }), rest.hasPrefix("=\"")
            else { throw fault("no label") }
            rest = rest.dropFirst(2)
            let value = rest.prefix { $0 != "\"" && $0 != "\\" }
            rest = rest.dropFirst(value.count)
            guard rest.hasPrefix("\""), labels.updateValue(String(value), forKey: String(name)) == nil else {
                throw fault("no label value, one that needs escapes, or a label twice")
            }
            rest = rest.dropFirst()
            guard rest.isEmpty || rest.hasPrefix(",") else { throw fault("no comma") }
            rest = rest.dropFirst()
        }
        return labels
    }

    /// Buckets grow to the count, the last is of everything.
    private func checkHistogram(_ name: String, _ family: Family) throws(Fault) {
        let groups = Dictionary(grouping: family.samples) { sample in sample.labels.filter { $0.key != "le" } }
        for (labels, samples) in groups {
            let buckets = samples.filter { $0.name == name + "_bucket" }
            let bounds = buckets.map { Double($0.labels["le", default: ""].replacing("+Inf", with: "inf")) ?? .nan }
            let count = samples.first { $0.name == name + "_count" }?.value
            guard zip(bounds, bounds.dropFirst()).allSatisfy(<), bounds.last == .infinity,
                zip(buckets, buckets.dropFirst()).allSatisfy({ $0.value <= $1.value }), buckets.last?.value == count,
                samples.contains(where: { $0.name == name + "_sum" })
            else { throw Fault(line: 0, words: "\(name)\(labels) is no histogram") }
        }
    }

    private func fault(_ words: String) -> Fault { Fault(line: line, words: words) }
}
