// SPDX-License-Identifier: Apache-2.0
internal import KeyfobWords

// A table of constants: the verbs. Help, completions, the manual page and the parser all read it.

extension Verb {
    /// What is known of this verb.
    package var spec: VerbSpec {
        switch self {
        case .`init`:
            make(
                "make a keychain and its keys",
                options: [.token, .moduleParameters, .isolate, .suite, .allow, .keyID, .soPINSource] + Self.opening,
                details: [
                    "Without --token it makes a SoftHSM token in the keychain's folder and asks for its new PIN. With "
                        + "--token the token must exist and have a user PIN; its class keys are made inside of it.",
                    "--module-parameters goes to C_Initialize of the module that module-path of the URI names (pReserved): "
                        + "NSS softokn, for one, finds its database by it. It is kept in config.json. For a module-name "
                        + "x-init-reserved of p11-kit's configuration says the same.",
                    "--isolate keeps a module that crashes from ending whoever uses the keychain: the token is gone then, "
                        + "and back before first unlock. Calls take longer, and what p11-kit does not carry is missing.",
                    "What the token can do is found out by doing it. Where it cannot keep a class key usable after a logout, or "
                        + "without a login, init stops, unless --allow host-held lets the host hold such keys: sealed by "
                        + "the token, opened at the first unlock into locked memory. keyfob status names where each key is.",
                    "A card whose keys are made elsewhere makes none for a keychain. --key-id names one of its pairs, which "
                        + "every class then uses; --allow host-held has to stand with it. Without --key-id the error says "
                        + "which pairs there are.",
                    "The folder is --home, or KEYFOB_HOME, or keyfob in XDG_DATA_HOME (~/.local/share).",
                ],
                examples: [
                    ("keyfob init", "a keychain on a SoftHSM token of its own"),
                    ("keyfob init --token 'pkcs11:token=work'", "a keychain on a token that exists"),
                    (
                        "keyfob init --token 'pkcs11:token=card' --key-id 03 --allow host-held",
                        "a keychain on a pair of a card"
                    ),
                ])
        case .set:
            make(
                "store a value, or replace it", operands: "NAME", count: 1...1,
                options: Self.selecting + [.accessible, .require, .label, .stripNewline] + Self.opening,
                details: [
                    "The value is what comes from the standard input, every byte of it; on a terminal it is asked for "
                        + "without echo. It is never an argument: other users can see those, and shells keep them.",
                    "An item with the same name and account gets the new value; its other attributes stay.",
                    "--require user-presence (or passcode) makes an item that asks for the token's PIN each time it is "
                        + "read or changed, application-password one that asks for a password of its own besides the "
                        + "class key, twice when it is made. Nothing brings back such a password that is forgotten.",
                ],
                examples: [
                    ("keyfob set mail", "asks for the value"),
                    ("printf %s \"$TOKEN\" | keyfob set deploy -a ci", "the value from a pipe"),
                    ("keyfob set key.pem --accessible after-first-unlock < key.pem", "a file that services can read"),
                    ("keyfob set root --require user-presence", "a value that takes the PIN each time"),
                ])
        case .get:
            make(
                "print a value", operands: "NAME", count: 1...1, options: Self.selecting + Self.opening,
                details: [
                    "Prints the bytes of the value and nothing else; on a terminal a line feed follows.",
                    "If several accounts have that name, it prints none and lists them.",
                    "An item that needs a person asks for the PIN, at the terminal, the configured pinentry program or "
                        + "--pin-source; the PIN of a login before, pin-source in config.json and credentials do not "
                        + "count. An item with a password of its own asks for that, never by --pin-source.",
                ],
                examples: [
                    ("keyfob get mail", "prints the value"),
                    ("keyfob get deploy -a ci | docker login -u ci --password-stdin", "hands it to a program"),
                ])
        case .list:
            make(
                "list items, without their values", operands: "[NAME]", count: 0...1,
                options: Self.selecting + [.accessible, .contains, .ignoreCase] + Self.opening,
                details: [
                    "With NAME only the items of that name. Without --class the items of all classes.",
                    "Items that need a person are left out, and a line on the standard error says how many.",
                    "--contains looks into name, account, label, comment and every other attribute that is text, never "
                        + "into values. It opens the attributes of all items that the other options leave.",
                ],
                examples: [
                    ("keyfob list", "every item"), ("keyfob list mail", "the accounts of one name"),
                    ("keyfob list --contains example.org --ignore-case", "everything about that host"),
                    ("keyfob list --json", "for programs"),
                ])
        case .rm:
            make(
                "remove an item", operands: "NAME", count: 1...1, options: Self.selecting + [.all] + Self.opening,
                details: [
                    "If several accounts have that name, it removes none and lists them. --all removes them all and needs "
                        + "no PIN. Without --all what fits is looked at first, which needs the PIN or the password of an "
                        + "item that asks for one."
                ],
                examples: [("keyfob rm mail", "removes the item"), ("keyfob rm mail --all", "and all its accounts")])
        case .unlock:
            make(
                "log in to the token", options: Self.opening,
                details: [
                    "A wrong PIN reaches the token once. The last try before the token locks is only spent with "
                        + "--final-try."
                ],
                examples: [("keyfob unlock", "asks for the PIN")])
        case .lock:
            make(
                "log out of the token", options: [.home, .json, .help],
                examples: [("keyfob lock", "locks the keychain")])
        case .token:
            make(
                "change the token's PIN, or set a new one as its security officer", operands: "change-pin|unblock",
                count: 1...1, options: [.soPINSource, .newPINSource, .destroy] + Self.opening,
                meanings: [
                    .soPINSource: OptionSpec(
                        name: .soPINSource, short: nil, placeholder: "SOURCE",
                        summary: "where the security officer's PIN comes from, as --pin-source", values: .file)
                ],
                details: [
                    "change-pin asks for the PIN and for a new one. A wrong PIN reaches the token once. Nothing else changes: "
                        + "the keychain stays as locked as it is.",
                    "unblock takes the security officer's PIN and sets a new PIN in place of one that is forgotten or locked. "
                        + "Items of the class when-passcode-set-this-device-only are gone then. It says how many they are and "
                        + "asks for that number; scripts give it with --destroy. With another number, or a wrong PIN of "
                        + "the security officer, it changes nothing. The keychain is locked afterwards.",
                ],
                examples: [
                    ("keyfob token change-pin", "asks for the PIN and twice for the new one"),
                    (
                        "keyfob token unblock --so-pin-source so.pin --new-pin-source new.pin --destroy 0",
                        "sets a new PIN if no item is lost by it"
                    ),
                ])
        case .status:
            make(
                "show the keychain, its token and its keys", options: [.home, .json, .help],
                details: [
                    "Asks for no PIN. The residence of each class key says where the key lives: in the token, or in a "
                        + "session of it, into which it is unwrapped or copied at the first unlock."
                ],
                examples: [("keyfob status", "shows the state")])
        case .verify:
            make(
                "open every item and report what is damaged", options: Self.opening,
                details: [
                    "Changes nothing. Ends with status 9 if an item does not open. Items that need a person or a password of "
                        + "their own are not opened, and are counted as locked."
                ],
                examples: [("keyfob verify", "checks the keychain")])
        case .group:
            make(
                "list access groups, or move a group's items", operands: "list|move [OLD NEW]", count: 1...3,
                options: Self.opening,
                details: [
                    "Every program sees the items of its own access groups. Where a program's identifier changed, move "
                        + "gives its items to the new one. Items of one class move together or not at all: with one that "
                        + "needs a person or a password of its own, not at all."
                ],
                examples: [
                    ("keyfob group list", "the groups that hold items"),
                    ("keyfob group move user.ada ACME.shop", "all items of one group to another"),
                ])
        case .audit:
            make(
                "show who did what, or verify the audit log", operands: "[verify]", count: 0...1,
                options: [.since, .item, .account, .caller] + Self.opening,
                details: [
                    "Without verify it lists the log, oldest first. Items are shown by name if they exist and can be "
                        + "opened now: give --pin-source to log in first. --item with a slash means a name and an account; "
                        + "with --account, or a slash at its end, all of it is the name.",
                    "verify reads the whole log and has the token open its checkpoints. It ends with status 9 if a line "
                        + "was removed, changed or put elsewhere, or the end is missing.",
                ],
                examples: [
                    ("keyfob audit --since 2h", "what happened in the last two hours"),
                    ("keyfob audit --item mail/ada", "who read, changed or looked for it"),
                    ("keyfob audit verify", "checks the log"),
                ])
        case .access:
            make(
                "check access policies, or say what a process is given", operands: "check FILE...|who PID",
                count: 1...Int.max, options: [.home, .json, .help],
                details: [
                    "check reads policy files as the daemon would and lists their rules, or says what is wrong and where; "
                        + "status 78. who says by which rule a running process is known, and the access groups that "
                        + "it is given."
                ],
                examples: [
                    ("keyfob access check /etc/keyfob/access.d/shop.json", "before the daemon reads it"),
                    ("keyfob access who 4711", "what process 4711 may see"),
                ])
        case .metrics:
            make(
                "print the daemon's measurements", options: [.out, .home, .help],
                details: [
                    "The form is OpenMetrics text. --out writes a file in one step, for the textfile collector of "
                        + "node-exporter. No name of an item, an account or a group is in it."
                ],
                examples: [
                    ("keyfob metrics", "requests, queue, token calls and keychain"),
                    ("keyfob metrics --out /var/lib/prometheus/node-exporter/keyfob.prom", "for a collector"),
                ])
        case .sandbox:
            make(
                "run a command with a keychain of its own", operands: "-- COMMAND [ARGUMENT...]", count: 1...Int.max,
                options: [.group, .locked, .token, .help],
                meanings: [
                    .group: OptionSpec(
                        name: .group, short: nil, placeholder: "ID",
                        summary: "an access group of every program in it; may be repeated, the first is the default",
                        values: .anything),
                    .token: OptionSpec(
                        name: .token, short: nil, placeholder: "KIND",
                        summary: "what holds the keys: \(SandboxToken.words); the default is softhsm",
                        values: .words(SandboxToken.allCases.map(\.rawValue))),
                ],
                details: [
                    "Makes a token, a keychain and a daemon that are thrown away when the command ends, also when it is "
                        + "killed. Any number can run at once. The command finds them by KEYFOB_SOCKET and KEYFOB_HOME; "
                        + "KEYFOB_SANDBOX_PIN_FILE names the file of the PIN.",
                    "The status is the command's, or 128 and the number of the signal that ended it; 127 if there is no "
                        + "such command and 126 if it cannot be run. SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1 and "
                        + "SIGUSR2 are passed on to it.",
                    "With --locked the keychain waits for keyfob unlock --pin-source \"$KEYFOB_SANDBOX_PIN_FILE\".",
                ],
                examples: [
                    ("keyfob sandbox -- swift test", "runs tests against a real token"),
                    ("keyfob sandbox --group ACME.shared -- bash", "a shell to try things out"),
                ])
        case .help:
            make("show the help of a command", operands: "[COMMAND]", count: 0...1, options: [.help])
        case .version:
            make("show the version", options: [.json, .help])
        case .completion:
            make(
                "print a completion script", operands: "bash|zsh|fish", count: 1...1, options: [.help], isHidden: true)
        case .man:
            make("print the manual page", options: [.help], isHidden: true)
        }
    }

    /// The options that say which item is meant.
    private static let selecting: [OptionName] = [
        .account, .itemClass, .group, .synchronizable, .port, .protocol, .path,
    ]

    /// The options of every verb that may need the PIN.
    private static let opening: [OptionName] = [.home, .pinSource, .finalTry, .json, .help]

    private func make(
        _ summary: String, operands: String = "", count: ClosedRange<Int> = 0...0, options: [OptionName],
        meanings: [OptionName: OptionSpec] = [:], details: [String] = [], examples: [(String, String)] = [],
        isHidden: Bool = false
    ) -> VerbSpec {
        VerbSpec(
            verb: self, summary: summary, operands: operands, operandCount: count, options: options, meanings: meanings,
            details: details, examples: examples, isHidden: isHidden)
    }
}
