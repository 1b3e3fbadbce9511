// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobWords

/// An option of the command line; the raw value is its long name.
package enum OptionName: String, CaseIterable, Hashable, Sendable {
    case account
    case itemClass = "class"
    case group
    case accessible
    case label
    case require
    case synchronizable
    case port
    case `protocol`
    case path
    case contains
    case ignoreCase = "ignore-case"
    case since
    case item
    case caller
    case all
    case stripNewline = "strip-newline"
    case token
    case moduleParameters = "module-parameters"
    case suite
    case allow
    case keyID = "key-id"
    case isolate
    case soPINSource = "so-pin-source"
    case newPINSource = "new-pin-source"
    case destroy
    case home
    case pinSource = "pin-source"
    case finalTry = "final-try"
    case locked
    case out
    case json
    case help
}

/// What help, completions and the parser know of an option.
package struct OptionSpec: Sendable {
    package let name: OptionName
    /// The one-letter form, or nil.
    package let short: Character?
    /// What the value is called in usage lines; nil: the option takes none.
    package let placeholder: String?
    package let summary: String
    package let values: Values

    /// What a shell may offer as the value.
    package enum Values: Sendable {
        case nothing
        case anything
        case folder
        case file
        case words([String])
    }

    /// The long form with its value, as usage lines show it.
    package var usage: String { "--\(name.rawValue)" + (placeholder.map { " \($0)" } ?? "") }

    /// `-a, --account ACCOUNT`, as lists of options show it.
    package var bothForms: String { (short.map { "-\($0), " } ?? "") + usage }
}

extension OptionName {
    /// What is known of this option.
    package var spec: OptionSpec {
        switch self {
        case .account: make("a", "ACCOUNT", "the item's account; an empty one is an account too")
        case .itemClass:
            make(
                nil, "CLASS", "generic (the default) or internet; NAME is then the service or the server",
                .words(ItemClassName.withValues.map(\.word)))
        case .group: make(nil, "GROUP", "the item's access group")
        case .accessible:
            make(
                nil, "CLASS", "when the item can be used: \(AccessibilityWords.all.joined(separator: ", "))",
                .words(AccessibilityWords.all))
        case .require:
            make(
                nil, "WHAT",
                "what it takes to read the item: user-presence or passcode (the PIN, each time), application-password; "
                    + "several with commas", .words(CommandContext.requirements.map(\.word)))
        case .label: make(nil, "LABEL", "the item's label; NAME if it is not given")
        case .synchronizable:
            make(
                nil, "CHOICE", "yes: items that may be copied to other hosts, no: those that stay, any",
                .words(["yes", "no", "any"]))
        case .port: make(nil, "PORT", "the port of an internet password")
        case .protocol:
            make(
                nil, "PROTOCOL",
                "the protocol of an internet password: \(InternetProtocol.words.joined(separator: ", "))",
                .words(InternetProtocol.words))
        case .path: make(nil, "PATH", "the path of an internet password")
        case .contains: make(nil, "TEXT", "only items with that text somewhere in an attribute")
        case .ignoreCase:
            make(nil, nil, "upper and lower case letters are the same in NAME, account, path and --contains", .nothing)
        case .since:
            make(nil, "WHEN", "what happened since then: 90s, 30m, 2h, 7d, or 2026-11-30, 2026-11-30T10:00 (UTC)")
        case .item: make(nil, "NAME[/ACCOUNT]", "what was done to the item, and who looked for it")
        case .caller: make(nil, "WHO", "a user's name or number, a systemd unit, or a program")
        case .all: make(nil, nil, "every item that fits, not only one", .nothing)
        case .stripNewline: make(nil, nil, "leave out one line feed at the end of the value", .nothing)
        case .token: make(nil, "URI", "the token that holds the keys (RFC 7512: pkcs11:token=…;serial=…)")
        case .moduleParameters:
            make(
                nil, "STRING",
                "what the module of the token's module-path is initialised with, for modules that want such a text")
        case .suite:
            make(
                nil, "SUITE", "how the class keys seal, in place of the best way that the token has",
                .words(Suite.allCases.map(\.name)))
        case .allow:
            make(
                nil, "WHAT", "host-held: the host may hold class keys that the token cannot keep inside",
                .words(["host-held"]))
        case .keyID:
            make(
                nil, "HEX",
                "CKA_ID of a pair that is on the token already, for every class: for cards that make no keys")
        case .isolate: make(nil, nil, "run the token's module in a process of its own", .nothing)
        case .soPINSource:
            make(nil, "SOURCE", "where the security officer's PIN of a new token comes from, as --pin-source", .file)
        case .newPINSource: make(nil, "SOURCE", "where the new PIN comes from, as --pin-source", .file)
        case .destroy: make(nil, "NUMBER", "how many items may be gone afterwards; another number stops the command")
        case .home: make(nil, "FOLDER", "the keychain's folder", .folder)
        case .pinSource:
            make(
                nil, "SOURCE",
                "where the PIN comes from: a file, credential:NAME, pinentry:, terminal:, or - (standard input)",
                .file)
        case .finalTry: make(nil, nil, "spend the last try before the token locks", .nothing)
        case .locked: make(nil, nil, "leave the keychain as it is before the first unlock", .nothing)
        case .out: make(nil, "FILE", "write to a file, whole or not at all", .file)
        case .json: make(nil, nil, "print JSON", .nothing)
        case .help: make("h", nil, "show this help", .nothing)
        }
    }

    private func make(
        _ short: Character?, _ placeholder: String?, _ summary: String, _ values: OptionSpec.Values = .anything
    ) -> OptionSpec {
        OptionSpec(name: self, short: short, placeholder: placeholder, summary: summary, values: values)
    }
}
