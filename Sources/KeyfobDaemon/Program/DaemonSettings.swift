// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobEngine
package import KeyfobModel
package import KeyfobPlatform

/// What a daemon serves and where, after options, environment and mode are put together.
package struct DaemonSettings: Hashable, Sendable {
    package let mode: DaemonOptions.Mode
    package let home: KeychainHome
    /// The path to listen at if no socket was inherited.
    package let socket: String
    /// The rights on the socket that the daemon makes; its group is the process's.
    package let socketMode: UInt32
    /// The PIN source of the command line, one that asks nobody.
    package let pinSource: PINSource?
    /// After how long without use the keychain is locked, if the command line says; nil: what `config.json` says.
    package let idle: IdleLimit?
    /// The folder of the sandbox whose keychain is to be made, or nil: the keychain exists.
    package let sandbox: String?

    /// Looks up an environment variable; nil if it is unset or empty.
    package typealias Lookup = (String) -> String?

    /// Puts it together and touches nothing.
    ///
    /// - Throws: `.configurationInvalid` if a folder cannot be had or the PIN source is none, or one that asks a person;
    ///   `.permissions` in system mode as root.
    package init(
        _ options: DaemonOptions, user: UInt32 = geteuid(), currentFolder: String?,
        environment: Lookup = { Environment.value($0) }
    ) throws(KeychainError) {
        mode = options.mode
        sandbox = options.sandbox
        idle = options.idle
        switch options.mode {
        case .system:
            guard user != 0 || options.allowsRoot else { throw Self.root }
            home = try KeychainHome.resolve(
                explicit: options.home ?? Self.first(environment("STATE_DIRECTORY")) ?? KeychainHome.systemPath)
            let folder = Self.first(environment("RUNTIME_DIRECTORY")) ?? DaemonSocket.systemFolder
            socket = options.socket ?? "\(folder)/\(DaemonSocket.name)"
            socketMode = 0o660
        case .user where options.sandbox != nil:
            let folder = options.sandbox ?? ""
            home = try KeychainHome.resolve(explicit: SandboxFolder.home(in: folder))
            socket = SandboxFolder.socket(in: folder)
            socketMode = 0o600
        case .user:
            home = try KeychainHome.resolve(explicit: options.home)
            if let explicit = options.socket {
                socket = explicit
            } else if let usual = DaemonSocket.user(environment) {
                socket = usual
            } else {
                throw Self.invalid("XDG_RUNTIME_DIR", "names no folder, and there is no --socket")
            }
            socketMode = 0o600
        }
        pinSource = try options.pinSource.map { (text) throws(KeychainError) in
            let source = try PINSource(text, relativeTo: currentFolder)
            guard !source.isInteractive else {
                throw Self.invalid("--pin-source", "asks a person; keyfobd asks nobody")
            }
            return source
        }
    }

    /// The folders of the access policies: a daemon of the machine reads the machine's, wherever its keychain lies.
    package var policyFolders: [String] {
        mode == .system ? [KeychainHome.systemPolicies, home.ownPolicies] : home.policyFolders
    }

    /// Makes the private folder of the user's socket if it is not there; the system's is made by its unit.
    ///
    /// A socket at a path of the caller's choice is in a folder of the caller's choice.
    ///
    /// - Throws: as `PrivateFolder.create`.
    package func prepareSocketFolder() throws(KeychainError) {
        guard mode == .user, socket.hasSuffix("/keyfob/\(DaemonSocket.name)") else { return }
        try PrivateFolder.create(String(socket.dropLast(DaemonSocket.name.utf8.count + 1)), .serve)
    }

    /// The manager separates several folders by colons; the first is ours.
    private static func first(_ folders: String?) -> String? {
        folders?.split(separator: ":").first.map(String.init)
    }

    private static var root: KeychainError {
        KeychainError(
            .permissions, .serve, subject: .parameter("--system"),
            cause: .format(place: "user", fault: "root needs --allow-root; the unit runs it as user keyfob"),
            remedy: .fixConfiguration)
    }

    private static func invalid(_ what: String, _ fault: String) -> KeychainError {
        KeychainError(
            .configurationInvalid, .serve, subject: .parameter(what), cause: .format(place: what, fault: fault),
            remedy: .fixConfiguration)
    }
}
