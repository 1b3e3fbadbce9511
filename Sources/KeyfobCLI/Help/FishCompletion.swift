// SPDX-License-Identifier: Apache-2.0
internal import KeyfobWords

/// The completion script for fish, made of the verb table.
///
/// It runs no command: nothing is unlocked or read.
package enum FishCompletion {
    package static var script: String {
        let verbs = Verb.allCases.map(\.spec).filter { !$0.isHidden }
        var text = "# fish completion for keyfob; made by: keyfob completion fish\ncomplete -c keyfob -f\n"
        for spec in verbs {
            text += "complete -c keyfob -n __fish_use_subcommand -a \(spec.verb.rawValue) -d '\(quote(spec.summary))'\n"
        }
        for spec in verbs {
            for option in spec.optionSpecs {
                text +=
                    "complete -c keyfob -n '__fish_seen_subcommand_from \(spec.verb.rawValue)' -l \(option.name.rawValue)"
                if let short = option.short { text += " -s \(short)" }
                text += "\(values(option)) -d '\(quote(option.summary))'\n"
            }
        }
        for spec in verbs where !spec.operandWords.isEmpty {
            let words = spec.operandWords.joined(separator: " ")
            text += "complete -c keyfob -n '__fish_seen_subcommand_from \(spec.verb.rawValue)' -a '\(words)'\n"
        }
        return text
    }

    private static func values(_ option: OptionSpec) -> String {
        switch option.values {
        case .nothing: ""
        case .anything: " -x"
        case .folder: " -x -a '(__fish_complete_directories)'"
        case .file: " -r -F"
        case .words(let words): " -x -a '\(words.joined(separator: " "))'"
        }
    }

    private static func quote(_ text: String) -> String {
        var result = ""
        for character in text { result += character == "'" || character == "\\" ? "\\\(character)" : String(character) }
        return result
    }
}
