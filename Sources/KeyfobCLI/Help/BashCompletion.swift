// SPDX-License-Identifier: Apache-2.0
internal import KeyfobWords

/// The completion script for bash, made of the verb table.
///
/// It runs no command: nothing is unlocked or read.
package enum BashCompletion {
    package static var script: String {
        let verbs = Verb.allCases.map(\.spec).filter { !$0.isHidden }
        var text = "# bash completion for keyfob; made by: keyfob completion bash\n_keyfob() {\n"
        text += "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb='' word\n"
        text += "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n    case $word in\n"
        text += "      \(verbs.map(\.verb.rawValue).joined(separator: "|"))) verb=$word; break ;;\n    esac\n  done\n"
        text += "  case $prev in\n"
        for option in OptionName.allCases.map(\.spec) {
            guard let action = action(option) else { continue }
            text += "    --\(option.name.rawValue)) \(action); return ;;\n"
        }
        text += "  esac\n  local words\n  case $verb in\n"
        for spec in verbs {
            let options = spec.options.map { "--\($0.rawValue)" }.joined(separator: " ")
            let operands = spec.verb == .help ? " " + verbs.map(\.verb.rawValue).joined(separator: " ") : ""
            text += "    \(spec.verb.rawValue)) words='\(options)\(operands)' ;;\n"
        }
        text += "    *) words='\(verbs.map(\.verb.rawValue).joined(separator: " ")) --help --version' ;;\n  esac\n"
        text += "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n}\n"
        return text + "complete -F _keyfob keyfob\n"
    }

    private static func action(_ option: OptionSpec) -> String? {
        switch option.values {
        case .nothing: nil
        case .anything: "COMPREPLY=()"
        case .folder: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")"
        case .file: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")"
        case .words(let words):
            "mapfile -t COMPREPLY < <(compgen -W '\(words.joined(separator: " "))' -- \"$cur\")"
        }
    }
}
