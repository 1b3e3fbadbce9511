// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
package import KeyfobWords

/// What the daemon's command line says.
package struct DaemonOptions: Hashable, Sendable {
    /// Whom the daemon serves.
    package enum Mode: String, Hashable, Sendable {
        /// The programs of one user.
        case user
        /// The services of the machine.
        case system
    }

    package var mode: Mode = .user
    /// The keychain's folder, or nil: the mode's.
    package var home: String?
    /// The path of the socket, or nil: the mode's.
    package var socket: String?
    /// Where the PIN comes from, as `PINSource` reads it.
    package var pinSource: String?
    /// After how long without use the keychain is locked, or nil: what `config.json` says.
    package var idle: IdleLimit?
    /// A descriptor whose end stops the daemon.
    package var stopDescriptor: Int32?
    /// A descriptor to which the daemon writes one byte when it serves; it may be the one that stops it.
    package var readyDescriptor: Int32?
    /// The folder of a sandbox, whose keychain the daemon makes and at its end removes (`SandboxFolder`).
    package var sandbox: String?
    package var allowsRoot = false
    package var isVerbose = false

    package init() {}

    /// What a command line asks for.
    package enum Request: Hashable, Sendable {
        case serve(DaemonOptions)
        case version
        case help
        /// The manual page.
        case manual
    }

    /// The request that the arguments make; `--help`, `--version` and `--man` win over everything that is well-formed.
    ///
    /// An option's value follows as the next argument or after `=`. The last of several wins, but for `--system` and
    /// `--user`, which exclude each other.
    ///
    /// - Parameter arguments: All but the program's name.
    /// - Throws: `Failure` with status `usage` that names the argument and, for a mistyped one, the nearest option. It
    ///   does not repeat the value of `--pin-source`, as people write the PIN itself there.
    package static func parse(_ arguments: [String]) throws(Failure) -> Request {
        var options = DaemonOptions()
        var mode: Mode?
        var wanted: Request?
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = Option(rawValue: parts[0]) else { throw unknown(parts[0]) }
            guard option.takesValue else {
                guard parts.count == 1 else { throw usage("\(option.rawValue) takes no value") }
                switch option {
                case .help: wanted = .help
                case .version: wanted = wanted ?? .version
                case .manual: wanted = wanted ?? .manual
                case .system, .user:
                    let named: Mode = option == .system ? .system : .user
                    guard mode == nil || mode == named else { throw usage("--system and --user exclude each other") }
                    mode = named
                case .allowRoot: options.allowsRoot = true
                default: options.isVerbose = true
                }
                continue
            }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
                throw usage("\(option.rawValue) needs a value")
            }
            switch option {
            case .home: options.home = value
            case .socket: options.socket = value
            case .pinSource: options.pinSource = value
            case .sandbox: options.sandbox = value
            case .idle: options.idle = try idle(value)
            case .readyDescriptor: options.readyDescriptor = try descriptor(value, option)
            default: options.stopDescriptor = try descriptor(value, option)
            }
        }
        if options.sandbox != nil, mode == .system || options.home != nil || options.socket != nil {
            throw usage("--sandbox excludes --system, --home and --socket")
        }
        options.mode = mode ?? .user
        return wanted ?? .serve(options)
    }

    /// The options, as they are written.
    enum Option: String, CaseIterable {
        case system = "--system"
        case user = "--user"
        case home = "--home"
        case socket = "--socket"
        case pinSource = "--pin-source"
        case idle = "--idle"
        case stopWithDescriptor = "--stop-with-fd"
        case readyDescriptor = "--ready-fd"
        case sandbox = "--sandbox"
        case allowRoot = "--allow-root"
        case verbose = "--verbose"
        case version = "--version"
        case manual = "--man"
        case help = "--help"

        var takesValue: Bool {
            switch self {
            case .home, .socket, .pinSource, .idle, .stopWithDescriptor, .readyDescriptor, .sandbox: true
            case .system, .user, .allowRoot, .verbose, .version, .manual, .help: false
            }
        }
    }

    private static func descriptor(_ text: String, _ option: Option) throws(Failure) -> Int32 {
        guard let number = Int32(text), number > 2 else {
            throw usage("\(option.rawValue) needs the number of an open descriptor above 2")
        }
        return number
    }

    private static func idle(_ text: String) throws(Failure) -> IdleLimit {
        guard let limit = IdleLimit(text) else {
            throw usage("--idle takes \(IdleLimit.bounds), 15m or 2h for instance, or never")
        }
        return limit
    }

    private static func unknown(_ word: String) -> Failure {
        guard word.hasPrefix("-") else {
            return Failure(.usage, "keyfobd takes options only", hint: "keyfobd --help lists them")
        }
        let nearest = Suggestion.nearest(to: word, among: Option.allCases.map(\.rawValue))
        return usage("there is no option \(word)", hint: nearest.map { "did you mean \($0)?" })
    }

    private static func usage(_ what: String, hint: String? = nil) -> Failure {
        Failure(.usage, what, hint: hint ?? "keyfobd --help lists the options")
    }
}
