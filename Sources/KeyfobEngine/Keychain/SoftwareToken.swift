// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobVault

/// The SoftHSM token of a keychain that was made without naming one: lies in the keychain's own folder.
///
/// For development, tests and hosts without hardware: its keys are files, encrypted under the PIN.
struct SoftwareToken {
    let folder: String

    init(_ home: KeychainHome) {
        folder = home.softwareToken
    }

    private static let modules = [
        "/usr/lib/softhsm/libsofthsm2.so",
        "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
        "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so",
        "/usr/lib64/pkcs11/libsofthsm2.so",
        "/usr/local/lib/softhsm/libsofthsm2.so",
    ]

    /// The path of SoftHSM's module on this host.
    ///
    /// - Throws: `.moduleNotLoadable` if it is not installed.
    static func modulePath() throws(KeychainError) -> String {
        guard let path = modules.first(where: { unsafe access($0, R_OK) == 0 }) else {
            throw KeychainError(
                .moduleNotLoadable, .create, subject: .path(modules[0]), remedy: .installModule)
        }
        return path
    }

    /// Points SoftHSM at the folder; before its module is loaded, while the process has one thread that cares.
    ///
    /// The path in SoftHSM's configuration follows the folder, so that a keychain may be moved.
    ///
    /// - Throws: `.configurationInvalid` if the folder's path cannot stand in that configuration; `.tokenNotFound` if
    ///   there is no token; `.permissions` if it may not be seen.
    func prepare() throws(KeychainError) {
        do {
            _ = try FileStatus.of(tokens)
        } catch {
            throw KeychainError(error, .open, path: tokens, missing: .tokenNotFound, remedy: .insertToken)
        }
        let path = folder + "/softhsm2.conf"
        let setting = "directories.tokendir = \(tokens)"
        guard Self.canHold(setting, value: tokens) else {
            throw KeychainError(
                .configurationInvalid, .configure, subject: .path(folder),
                cause: .format(
                    place: "the path", fault: "SoftHSM takes none with =, # or a line break, or of 1000 bytes"),
                remedy: .fixConfiguration)
        }
        let text = """
            \(setting)
            objectstore.backend = file
            log.level = ERROR
            slots.removable = false
            library.reset_on_fork = true

            """
        let current: [UInt8]
        do {
            current = try Descriptor.open(path, O_RDONLY).contents(limit: 65536)
        } catch {
            // Missing or unreadable: written anew, and a fault of the folder shows there.
            current = []
        }
        if current != Array(text.utf8) { try ConfigurationFile.write(text, to: path) }
        unsafe setenv("SOFTHSM2_CONF", path, 1)
        try secure()
    }

    /// Whether SoftHSM reads a line of its configuration as it was meant.
    ///
    /// Its reader (`SimpleConfigLoader.cpp`) ends a line at `#` or a line break and after 1023 bytes, and a value at `=`.
    private static func canHold(_ line: String, value: String) -> Bool {
        line.utf8.count < 1000 && !value.utf8.contains { [UInt8]("=#\n\r\0".utf8).contains($0) }
    }

    /// Makes the token, with a user PIN, and returns its URI.
    ///
    /// Without an SO PIN of the owner's a random one is used and forgotten: a lost PIN then cannot be reset by anybody.
    func make(
        label: String, pin: borrowing SecretBytes, soPIN: borrowing SecretBytes?
    ) throws(KeychainError) -> String {
        try PrivateFolder.create(folder)
        try PrivateFolder.create(tokens)
        try prepare()
        let uri = try TokenMaker.make(modulePath: Self.modulePath(), label: label, pin: pin, soPIN: soPIN)
        // The module that made it is closed again.
        try secure()
        return uri
    }

    /// Whether the folder holds a token already.
    var exists: Bool { unsafe access(tokens, F_OK) == 0 }

    var tokens: String { folder + "/tokens" }
}
