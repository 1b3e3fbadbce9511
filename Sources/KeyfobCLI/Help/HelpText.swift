// SPDX-License-Identifier: Apache-2.0

/// The help that the verb table makes.
package enum HelpText {
    /// The list of commands; no line feed at the end.
    package static let overview: String = {
        var lines = [
            "Keyfob keeps passwords, keys and other secrets, sealed under keys that never leave a PKCS #11 token.", "",
            "Usage: keyfob COMMAND [options]", "", "Commands:",
        ]
        let verbs = Verb.allCases.map(\.spec).filter { !$0.isHidden }
        lines += columns(verbs.map { ($0.verb.rawValue + ($0.operands.isEmpty ? "" : " \($0.operands)"), $0.summary) })
        lines += [
            "", "keyfob help COMMAND shows the options and examples of a command.",
            "keyfob man | man -l - shows the manual page, keyfob completion SHELL prints completions.",
        ]
        return lines.joined(separator: "\n")
    }()

    /// The help of one verb, each line ended by a line feed.
    package static func of(_ spec: VerbSpec) -> String {
        var lines = ["Usage: \(spec.usage)", "", "\(spec.verb.rawValue): \(spec.summary)"]
        for paragraph in spec.details { lines += [""] + wrap(paragraph, 100) }
        lines += ["", "Options:"] + columns(spec.optionSpecs.map { ($0.helpUsage, $0.summary) })
        if !spec.examples.isEmpty {
            lines += ["", "Examples:"]
            for example in spec.examples { lines += ["  \(example.command)", "      \(example.does)"] }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func columns(_ rows: [(String, String)]) -> [String] {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.flatMap { left, right in
            wrap(right, max(40, 98 - width)).enumerated().map { index, line in
                "  "
                    + (index == 0
                        ? left + String(repeating: " ", count: width - left.count)
                        : String(repeating: " ", count: width))
                    + "  " + line
            }
        }
    }

    private static func wrap(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }
}

extension OptionSpec {
    /// `-a, --account ACCOUNT`.
    fileprivate var helpUsage: String { short == nil ? "    " + bothForms : bothForms }
}
