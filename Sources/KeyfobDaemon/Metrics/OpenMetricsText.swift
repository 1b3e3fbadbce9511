// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

/// A text in the OpenMetrics format (OpenMetrics 1.0.0, text format), family by family.
///
/// No label ever holds the name of an item, an account or a group.
struct OpenMetricsText {
    private(set) var lines: [String] = []

    /// Begins a family.
    ///
    /// - Parameters:
    ///   - name: Without the suffix of its samples.
    ///   - type: `counter`, `gauge`, `histogram` or `info`.
    ///   - unit: `seconds` or `bytes`, which the name ends with; nil: none.
    mutating func family(_ name: String, _ type: String, _ help: String, unit: String? = nil) {
        lines.append("# TYPE \(name) \(type)")
        if let unit { lines.append("# UNIT \(name) \(unit)") }
        lines.append("# HELP \(name) \(Self.escaped(help))")
    }

    /// One sample; the name has the suffix that its family's type asks for.
    mutating func sample(_ name: String, _ labels: [(String, String)] = [], _ value: String) {
        let texts = labels.map { "\($0)=\"\(Self.escaped($1))\"" }
        lines.append(name + (texts.isEmpty ? "" : "{\(texts.joined(separator: ","))}") + " " + value)
    }

    /// A counter of one sample.
    mutating func counter(_ name: String, _ help: String, _ value: Int) {
        family(name, "counter", help)
        sample(name + "_total", [], String(value))
    }

    /// A gauge of one sample.
    mutating func gauge(_ name: String, _ help: String, _ value: Int, unit: String? = nil) {
        family(name, "gauge", help, unit: unit)
        sample(name, [], String(value))
    }

    /// The samples of one histogram.
    mutating func histogram(
        _ name: String, _ labels: [(String, String)] = [], _ snapshot: DurationHistogram.Snapshot
    ) {
        var sum = 0
        for (index, count) in snapshot.counts.enumerated() {
            sum += count
            let bound = index < DurationHistogram.bounds.count ? Self.seconds(DurationHistogram.bounds[index]) : "+Inf"
            sample(name + "_bucket", labels + [("le", bound)], String(sum))
        }
        sample(name + "_sum", labels, Self.seconds(snapshot.sum))
        sample(name + "_count", labels, String(snapshot.count))
    }

    /// The whole text.
    var text: String { lines.joined(separator: "\n") + "\n# EOF\n" }

    private static func seconds(_ nanoseconds: UInt64) -> String { "\(Double(nanoseconds) / 1_000_000_000)" }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.append(character)
            }
        }
        return result
    }
}
