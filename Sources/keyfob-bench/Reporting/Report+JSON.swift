// SPDX-License-Identifier: Apache-2.0

extension Report {
    /// One object: `{"items": …, "rounds": …, "figures": [{"id", "value", "unit", "limit", "ratio", "goal", "met"}]}`.
    ///
    /// Names and words are ours and hold nothing that JSON escapes but quotation marks in remarks.
    var json: String {
        let lines = figures.map { figure in
            var members = [
                Self.member("id", figure.id), Self.member("value", figure.value),
                Self.member("unit", figure.unit.rawValue),
            ]
            if let limit = figure.limit { members.append(Self.member("limit", limit.value)) }
            if let ratio = figure.ratio { members.append(Self.member("ratio", ratio)) }
            switch figure.goal {
            case .atMost(let most): members.append(Self.member("ratio-at-most", most))
            case .atLeast(let least): members.append(Self.member("ratio-at-least", least))
            case .figureAtMost(let most): members.append(Self.member("value-at-most", most))
            case nil: break
            }
            if let isMet = figure.isMet { members.append("\"met\": \(isMet)") }
            return "    {\(members.joined(separator: ", "))}"
        }
        let notes = remarks.map { "\"\(Self.escaped($0))\"" }.joined(separator: ", ")
        return """
            {
              "items": \(items),
              "rounds": \(rounds),
              "remarks": [\(notes)],
              "figures": [
            \(lines.joined(separator: ",\n"))
              ]
            }
            """
    }

    private static func member(_ name: String, _ value: String) -> String { "\"\(name)\": \"\(value)\"" }

    private static func member(_ name: String, _ value: Double) -> String { "\"\(name)\": \(decimal(value, 3))" }

    private static func escaped(_ text: String) -> String {
        String(
            text.flatMap { character -> String in
                switch character {
                case "\"": "\\\""
                case "\\": "\\\\"
                case "\n": "\\n"
                default: String(character)
                }
            })
    }
}
