// SPDX-License-Identifier: Apache-2.0
internal import KeyfobWords

/// The completion script for zsh, made of the verb table.
///
/// It runs no command: nothing is unlocked or read.
package enum ZshCompletion {
    package static var script: String {
        let verbs = Verb.allCases.map(\.spec).filter { !$0.isHidden }
        var text = "#compdef keyfob\n# made by: keyfob completion zsh\n_keyfob() {\n  local -a verbs=(\n"
        for spec in verbs { text += "    '\(spec.verb.rawValue):\(quote(spec.summary))'\n" }
        text += "  )\n  local context state state_descr line\n  typeset -A opt_args\n"
        text += "  _arguments -C '1: :->verb' '*:: :->rest'\n"
        text += "  case $state in\n    verb) _describe command verbs ;;\n    rest)\n      case $words[1] in\n"
        for spec in verbs {
            text += "        \(spec.verb.rawValue)) _arguments"
            for option in spec.optionSpecs { text += " \\\n          '\(argument(option))'" }
            if !spec.operandWords.isEmpty {
                text += " \\\n          '1:command:(\(spec.operandWords.joined(separator: " ")))'"
            }
            text += " ;;\n"
        }
        return text + "      esac ;;\n  esac\n}\n_keyfob \"$@\"\n"
    }

    private static func argument(_ option: OptionSpec) -> String {
        let long = "--\(option.name.rawValue)"
        // Inside of single quotes, which end around the braces.
        let forms = option.short.map { "(-\($0) \(long))'{-\($0),\(long)}'" } ?? long
        let name = "\(forms)[\(quote(option.summary))]"
        return switch option.values {
        case .nothing: name
        case .anything: "\(name):value: "
        case .folder: "\(name):folder:_files -/"
        case .file: "\(name):file:_files"
        case .words(let words): "\(name):value:(\(words.joined(separator: " ")))"
        }
    }

    /// Without the characters that mean something between brackets or single quotes.
    private static func quote(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "'": result += "'\\''"
            case "[", "]", ":": result += "\\\(character)"
            default: result.append(character)
            }
        }
        return result
    }
}
