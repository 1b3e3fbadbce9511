// SPDX-License-Identifier: Apache-2.0
internal import KeyfobEngine
internal import KeyfobWords

/// The manual page keyfobd(8) in the mdoc language.
package enum DaemonManualPage {
    package static var text: String {
        var lines = [
            ".Dd $Mdocdate$", ".Dt KEYFOBD 8", ".Os Keyfob", ".Sh NAME", ".Nm keyfobd",
            ".Nd daemon that serves one keychain to many programs",
            ".Sh SYNOPSIS", ".Nm", escape("[--user | --system] [option ...]"), ".Sh DESCRIPTION",
        ]
        lines += description.map(escape).joined(by: ".Pp")
        lines += list(".Sh OPTIONS", DaemonOptions.Option.allCases.map { (escape($0.form), $0.meaning) })
        lines += list(".Sh SIGNALS", signals)
        lines += list(".Sh ENVIRONMENT", environment.map { ("Ev \($0)", $1) })
        lines += list(".Sh FILES", files.map { ("Pa \($0)", $1) })
        lines += list(
            ".Sh EXIT STATUS",
            ExitStatus.all.filter { statuses.contains($0.status) }.map { ("\($0.status.rawValue)", $0.meaning) })
        lines += [".Sh SEE ALSO", ".Xr keyfob 1 ,", ".Xr systemd.exec 5"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static let description = [
        "Opens one keychain, listens at a Unix socket and serves programs and keyfob(1), in the foreground.",
        "Who may do what is decided by the policies of the keychain and by the rights on the socket; the daemon asks the "
            + "kernel who calls.",
        "It begins before first unlock. It unlocks the keychain at its start, once, if a PIN source that asks nobody is "
            + "given or configured, or the service manager gives the credential token-pin; else keyfob unlock does.",
    ]

    private static let signals = [
        ("TERM, INT", "Stops it: running requests end, for 10 seconds at most; a second one stops it at once."),
        ("HUP", "Reads the access policies again; if one is wrong, what held before goes on."),
        ("USR1", "Locks the keychain."),
    ]

    private static let environment = [
        ("KEYFOB_HOME", "The keychain's folder with --user, if --home is not given."),
        ("KEYFOB_LOG", "The level of the log: error, warning, notice, info or debug."),
        ("XDG_RUNTIME_DIR", "Holds the folder of the socket with --user."),
        ("STATE_DIRECTORY", "The keychain's folder with --system, set by the service manager."),
        ("RUNTIME_DIRECTORY", "The socket's folder with --system, set by the service manager."),
        ("CREDENTIALS_DIRECTORY", "Where the credential token-pin lies, set by the service manager."),
        ("LISTEN_FDS", "The service manager has opened the socket."),
        ("NOTIFY_SOCKET", "The service manager hears there when requests are served, and how things stand."),
        ("WATCHDOG_USEC", "How often the service manager has to hear that requests are answered."),
    ]

    private static let files = [
        ("~/.local/share/keyfob", "The keychain of a user."),
        ("$XDG_RUNTIME_DIR/keyfob/keyfobd.sock", "The socket of a user's daemon."),
        ("/var/lib/keyfob", "The keychain of the machine."),
        ("/run/keyfob/keyfobd.sock", "The socket of the machine's daemon."),
        ("config.json", "In the keychain's folder: its settings, among them idle, pin-source and request-deadline."),
        ("access.d", "In the keychain's folder: the rules that give programs their access groups."),
        ("\(KeychainHome.systemPolicies)", "The rules of the machine."),
    ]

    /// Those that a daemon ends with.
    private static let statuses: [ExitStatus] = [
        .success, .failure, .usage, .notConfigured, .token, .damaged, .inUse, .denied, .inputOutput, .configuration,
    ]

    private static func list(_ heading: String, _ rows: [(String, String)]) -> [String] {
        [heading, ".Bl -tag -width Ds"] + rows.flatMap { [".It \($0)", escape($1)] } + [".El"]
    }

    private static func escape(_ text: String) -> String { Mdoc.escape(text) }
}

extension [String] {
    fileprivate func joined(by line: String) -> [String] { Array(map { [$0] }.joined(separator: [line])) }
}

extension DaemonOptions.Option {
    /// With the word for its value.
    fileprivate var form: String {
        let value: String? =
            switch self {
            case .home, .sandbox: "FOLDER"
            case .socket: "PATH"
            case .pinSource: "SOURCE"
            case .idle: "TIME"
            case .stopWithDescriptor, .readyDescriptor: "N"
            case .system, .user, .allowRoot, .verbose, .version, .manual, .help: nil
            }
        return [rawValue, value].compactMap(\.self).joined(separator: " ")
    }

    fileprivate var meaning: String {
        switch self {
        case .user: "Serves the keychain of this user to the user's programs; the default."
        case .system: "Serves the keychain of the machine to its services, as a user of its own."
        case .home: "Serves another keychain."
        case .socket: "Listens elsewhere, unless the service manager has opened the socket."
        case .pinSource:
            "Unlocks the keychain at the start with the PIN from there: a file, credential:NAME, or - for the standard "
                + "input. It wins over config.json."
        case .idle:
            "Locks the keychain when for so long nothing was done that needs the login: 1s to 7d, 15m for instance, or "
                + "never. It wins over config.json."
        case .stopWithDescriptor: "Stops when descriptor N, which it inherited, comes to its end."
        case .readyDescriptor: "Writes one byte to descriptor N when requests are served."
        case .sandbox: "Makes a keychain in a folder of keyfob sandbox, and removes the folder at the end."
        case .allowRoot: "Lets --system run as root."
        case .verbose: "Logs every request."
        case .version: "Shows the version."
        case .manual: "Prints this page."
        case .help: "Shows the options."
        }
    }
}
