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
        text += "  case $verb,$prev in\n"
        // What means something else to one verb comes first.
        let own = verbs.flatMap { spec in
            spec.options.compactMap { spec.meanings[$0] }.map { (spec.verb.rawValue, $0) }
        }
        for (verb, option) in own + OptionName.allCases.map({ ("*", $0.spec) }) {
            guard let action = action(option) else { continue }
            text += "    \(verb),--\(option.name.rawValue)) \(action); return ;;\n"
        }
        text += "  esac\n  local words\n  case $verb in\n"
        for spec in verbs {
            let options = spec.options.map { "--\($0.rawValue)" }.joined(separator: " ")
            let words = ([options] + spec.operandWords).joined(separator: " ")
            text += "    \(spec.verb.rawValue)) words='\(words)' ;;\n"
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
