// SPDX-License-Identifier: Apache-2.0
internal import KeyfobWords

/// The manual page keyfob(1) in the mdoc language, made of the verb table.
package enum ManualPage {
    package static var text: String {
        let verbs = Verb.allCases.map(\.spec).filter { !$0.isHidden }
        var lines = [
            ".Dd $Mdocdate$", ".Dt KEYFOB 1", ".Os Keyfob", ".Sh NAME", ".Nm keyfob",
            ".Nd keychain whose keys live in a token",
            ".Sh SYNOPSIS",
        ]
        for spec in verbs { lines += [".Nm", escape("\(spec.usage.dropFirst("keyfob ".count))"), ".br"] }
        lines += [
            ".Sh DESCRIPTION",
            "Keeps passwords, keys and other secrets, sealed under keys that never leave a PKCS #11 token.",
            ".Sh COMMANDS",
            ".Bl -tag -width Ds",
        ]
        for spec in verbs {
            lines.append(".It " + escape("\(spec.usage.dropFirst("keyfob ".count))"))
            lines.append(escape(spec.summary.prefix(1).uppercased() + spec.summary.dropFirst() + "."))
            for paragraph in spec.details { lines += [".Pp", escape(paragraph)] }
            // Below, an option stands as the other commands mean it.
            for option in spec.options.compactMap({ spec.meanings[$0] }) {
                lines += [".Pp", escape("\(option.bothForms): \(option.summary).")]
            }
        }
        lines += [".El", ".Sh OPTIONS", ".Bl -tag -width Ds"]
        for option in OptionName.allCases.map(\.spec) {
            lines += [
                ".It " + escape(option.bothForms),
                escape(option.summary.prefix(1).uppercased() + option.summary.dropFirst() + "."),
            ]
        }
        lines += [".El", ".Sh ENVIRONMENT", ".Bl -tag -width Ds"]
        for (name, meaning) in environment { lines += [".It Ev \(name)", escape(meaning)] }
        lines += [
            ".El", ".Sh FILES", ".Bl -tag -width Ds", ".It Pa ~/.local/share/keyfob", "The keychain of a user.",
            ".It Pa ~/.local/share/keyfob/config.json", escape("Its settings: token, pin-source, pinentry and others."),
            ".It Pa ~/.local/share/keyfob/access.d", "The rules that give programs their access groups.", ".El",
        ]
        lines += [".Sh EXIT STATUS", ".Bl -tag -width Ds"]
        for (status, meaning) in ExitStatus.all { lines += [".It \(status.rawValue)", escape(meaning)] }
        lines += [".El", ".Sh EXAMPLES", ".Bl -tag -width Ds"]
        for example in verbs.flatMap(\.examples) {
            lines += [
                ".It " + escape(example.command),
                escape(example.does.prefix(1).uppercased() + example.does.dropFirst() + "."),
            ]
        }
        return (lines + [".El"]).joined(separator: "\n") + "\n"
    }

    private static let environment = [
        ("KEYFOB_HOME", "The keychain's folder, if --home is not given."),
        ("KEYFOB_SOCKET", "The daemon to ask, if --home is not given."),
        ("KEYFOB_SANDBOX_PIN_FILE", "Set by keyfob sandbox: the file that holds the PIN of its token."),
        ("XDG_DATA_HOME", "Where the folder keyfob lies otherwise."),
        ("KEYFOB_LOG", "How much is logged to the error output: error, warning, notice, info or debug."),
        ("NO_COLOR", "If it is set and not empty, nothing is coloured."),
    ]

    private static func escape(_ text: String) -> String { Mdoc.escape(text) }
}
