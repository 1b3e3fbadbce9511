// SPDX-License-Identifier: Apache-2.0
internal import KeyfobClient
internal import KeyfobEngine
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform

/// Keychains as this machine has them: a daemon's where one serves the keychain that is meant, else opened here.
///
/// `--home` or `KEYFOB_HOME` names a folder: the daemon that holds it, else the folder itself. `KEYFOB_SOCKET` names a
/// daemon. With neither it is the user's daemon, else the user's own folder if it holds a keychain, else the daemon of
/// the machine.
struct SystemAccess: KeychainAccess {
    private let embedded = EmbeddedAccess()

    func folder(_ home: String?) throws(KeychainError) -> String { try embedded.folder(home) }

    func exists(in folder: String) throws(KeychainError) -> Bool { try embedded.exists(in: folder) }

    func open(_ home: String?) throws(KeychainError) -> any OpenKeychain {
        if home == nil, let daemon = try daemon() { return daemon }
        let folder = try KeychainHome.resolve(explicit: home)
        if let socket = folder.daemonSocket, let client = try DaemonClient.reach([socket]) {
            return DaemonKeychain(client)
        }
        return try embedded.open(home)
    }

    func policy(in file: String) throws(KeychainError) -> [RuleReport] { try embedded.policy(in: file) }

    func caller(_ pid: Int32, _ home: String?) throws(KeychainError) -> CallerReport {
        // What a daemon was told to serve counts, not the folder that the environment would name.
        var folder = home
        if home == nil, let daemon = try daemon() { folder = try daemon.status().home }
        return try embedded.caller(pid, folder)
    }

    func tokenWithPINPad(_ uri: String) throws(KeychainError) -> TokenIdentity? {
        try embedded.tokenWithPINPad(uri)
    }

    func create(
        _ folder: String, _ plan: NewKeychain, pin: borrowing SecretBytes?,
        securityOfficerPIN: consuming SecretBytes?, progress: (String) -> Void
    ) throws(KeychainError) -> any OpenKeychain {
        try embedded.create(
            folder, plan, pin: pin, securityOfficerPIN: securityOfficerPIN, progress: progress)
    }

    /// The daemon that is meant when no folder is named on the command line; nil: a folder is.
    private func daemon() throws(KeychainError) -> DaemonKeychain? {
        if let socket = Environment.value("KEYFOB_SOCKET") {
            guard let client = try DaemonClient.reach([socket]) else {
                throw KeychainError(.daemonNotAnswering, .connect, subject: .daemon(socket), remedy: .startDaemon)
            }
            return DaemonKeychain(client)
        }
        guard Environment.value("KEYFOB_HOME") == nil else { return nil }
        if let user = DaemonSocket.user, let client = try DaemonClient.reach([user]) { return DaemonKeychain(client) }
        guard try !KeychainHome.resolve().holdsKeychain() else { return nil }
        return try DaemonClient.reach([DaemonSocket.system]).map { DaemonKeychain($0) }
    }
}
