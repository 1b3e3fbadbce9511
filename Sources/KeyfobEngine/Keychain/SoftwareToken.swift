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
    private let folder: String

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
    func prepare() throws(KeychainError) {
        let path = folder + "/softhsm2.conf"
        let text = """
            directories.tokendir = \(folder)/tokens
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
    }

    /// Makes the token, with a user PIN, and returns its URI.
    ///
    /// Without an SO PIN of the owner's a random one is used and forgotten: a lost PIN then cannot be reset by anybody.
    func make(
        label: String, pin: borrowing SecretBytes, soPIN: borrowing SecretBytes?
    ) throws(KeychainError) -> String {
        try PrivateFolder.create(folder)
        try PrivateFolder.create(folder + "/tokens")
        try prepare()
        return try TokenMaker.make(modulePath: Self.modulePath(), label: label, pin: pin, soPIN: soPIN)
    }

    /// Whether the folder holds a token already.
    var exists: Bool { unsafe access(folder + "/tokens", F_OK) == 0 }
}
