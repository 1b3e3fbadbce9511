// SPDX-License-Identifier: Apache-2.0
internal import KeyfobPlatform
package import KeyfobWords

/// Makes an `Invocation` of the arguments, the program's name left out.
///
/// Options may stand before or after the verb and between operands; `--` ends them. No message repeats a value or an
/// operand that did not fit: it may be a secret that somebody tried to pass.
package struct ArgumentParser {
    private var verb: Verb?
    private var operands: [String] = []
    private var values: [OptionName: [String]] = [:]
    private var order: [OptionName] = []

    /// The command, or the reason why there is none.
    ///
    /// - Throws: `Failure` with status `usage`.
    package static func parse(_ arguments: [String]) throws(Failure) -> Invocation {
        var parser = ArgumentParser()
        var rest = arguments[...]
        var optionsEnded = false
        while let argument = rest.popFirst() {
            if parser.isInCommand || optionsEnded || argument == "-" || !argument.hasPrefix("-") {
                try parser.takeWord(argument)
            } else if argument == "--" {
                optionsEnded = true
            } else if argument.hasPrefix("--") {
                try parser.takeLong(argument.dropFirst(2), &rest)
            } else {
                try parser.takeShort(argument.dropFirst(), &rest)
            }
        }
        return try parser.finish()
    }

    /// Whether everything that follows belongs to a command that is to be run.
    private var isInCommand: Bool { verb?.spec.takesCommand == true && !operands.isEmpty }

    // MARK: - Words

    private mutating func takeWord(_ word: String) throws(Failure) {
        guard verb != nil else {
            verb = try Self.verb(named: word)
            return
        }
        operands.append(word)
    }

    /// The verb with that name.
    ///
    /// - Throws: `Failure` that names the nearest verb.
    package static func verb(named word: String) throws(Failure) -> Verb {
        if let verb = Verb(rawValue: word) { return verb }
        let known = Verb.allCases.filter { !$0.spec.isHidden }.map(\.rawValue) + Array(synonyms.keys).sorted()
        let nearest = Suggestion.nearest(to: word, among: known).map { synonyms[$0] ?? $0 }
        throw Failure(
            .usage, "there is no command \(Printable.quoted(word))",
            hint: nearest.map { "did you mean keyfob \($0)?" } ?? "keyfob help lists the commands")
    }

    /// What people type who know other tools.
    private static let synonyms = [
        "add": "set", "store": "set", "put": "set", "show": "get", "read": "get", "lookup": "get", "ls": "list",
        "delete": "rm", "remove": "rm", "del": "rm", "erase": "rm", "login": "unlock", "logout": "lock",
        "check": "verify", "create": "init", "info": "status",
    ]

    // MARK: - Options

    private mutating func takeLong(_ text: Substring, _ rest: inout ArraySlice<String>) throws(Failure) {
        let name = text.prefix { $0 != "=" }
        let attached = name.endIndex < text.endIndex ? String(text[text.index(after: name.endIndex)...]) : nil
        if name == "version", verb == nil, attached == nil {
            verb = .version
            return
        }
        guard let option = OptionName(rawValue: String(name)) else { throw unknown("--\(name)") }
        try take(option, attached, &rest)
    }

    private mutating func takeShort(_ text: Substring, _ rest: inout ArraySlice<String>) throws(Failure) {
        guard let letter = text.first, let option = OptionName.allCases.first(where: { $0.spec.short == letter }) else {
            throw unknown("-\(text.prefix(1))")
        }
        let attached = text.count > 1 ? String(text.dropFirst()) : nil
        guard attached == nil || option.spec.placeholder != nil else {
            throw Failure(.usage, "-\(letter) takes no value", hint: hint(for: verb))
        }
        try take(option, attached, &rest)
    }

    private mutating func take(
        _ option: OptionName, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(Failure) {
        let long = "--\(option.rawValue)"
        if option.spec.placeholder == nil {
            guard attached == nil else { throw Failure(.usage, "\(long) takes no value", hint: hint(for: verb)) }
            values[option] = [""]
        } else {
            guard let value = attached ?? rest.popFirst() else {
                throw Failure(.usage, "\(option.spec.usage): the value is missing", hint: hint(for: verb))
            }
            values[option, default: []].append(value)
        }
        order.append(option)
    }

    private func unknown(_ name: String) -> Failure {
        let shown = Printable.text(name, columns: 40)
        if ["--pin", "--password", "--passphrase", "--secret", "--value", "-p", "-w"].contains(name) {
            return Failure(
                .usage, "there is no option \(shown): a PIN or a value is never an argument",
                hint:
                    "arguments are seen by other users; give a value on the standard input, a PIN by --pin-source FILE")
        }
        let known = verb?.spec.options ?? OptionName.allCases
        let nearest = Suggestion.nearest(to: String(name.drop { $0 == "-" }), among: known.map(\.rawValue))
        return Failure(
            .usage, "there is no option \(shown)", hint: nearest.map { "did you mean --\($0)?" } ?? hint(for: verb))
    }

    // MARK: - The whole

    private func finish() throws(Failure) -> Invocation {
        guard let verb else {
            guard values[.help] != nil else {
                throw Failure(.usage, "a command is missing", hint: "keyfob help lists the commands")
            }
            return Invocation(verb: .help)
        }
        if values[.help] != nil { return Invocation(verb: .help, operands: [verb.rawValue]) }
        let spec = verb.spec
        for option in order where !spec.options.contains(option) {
            throw Failure(.usage, "keyfob \(verb.rawValue) has no option --\(option.rawValue)", hint: hint(for: verb))
        }
        for (option, given) in values where given.count > 1 && !(verb == .sandbox && option == .group) {
            throw Failure(.usage, "--\(option.rawValue) is given twice", hint: hint(for: verb))
        }
        guard operands.count <= spec.operandCount.upperBound else { throw tooMany(verb) }
        guard operands.count >= spec.operandCount.lowerBound else {
            throw Failure(.usage, "keyfob \(verb.rawValue): \(spec.operands) is missing", hint: hint(for: verb))
        }
        return Invocation(verb: verb, operands: operands, values: values)
    }

    private func tooMany(_ verb: Verb) -> Failure {
        if verb == .set {
            return Failure(
                .usage, "keyfob set takes the value from the standard input or asks for it, never from an argument",
                hint: "arguments are seen by other users and kept by shells; try: keyfob set NAME, and type the value")
        }
        let takes = verb.spec.operands.isEmpty ? "no operand" : "only \(verb.spec.operands)"
        return Failure(.usage, "keyfob \(verb.rawValue) takes \(takes)", hint: hint(for: verb))
    }

    private func hint(for verb: Verb?) -> String {
        verb.map { "keyfob help \($0.rawValue) shows how" } ?? "keyfob help lists the commands"
    }
}
