// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import KeyfobMemory
package import KeyfobPKCS11

/// A token of NSS softokn for one test alone: a database that certutil makes in a folder, which goes with it.
///
/// The module is a copy of the library: in one process a file is initialised once, with one database.
package final class NSSToken {
    /// The folder of everything.
    package let folder: String
    /// What the token calls itself.
    package let label: String
    /// The copy of `libsoftokn3.so`.
    package let modulePath: String
    /// The file with the PIN.
    package var pinFile: String { folder + "/pin" }
    private let pinText: [UInt8]

    /// What the module is to be initialised with.
    package var parametersText: String { Self.parameters(database: folder + "/db", label: label) }
    /// The same, checked.
    package var parameters: ModuleParameters {
        get throws { try Self.checked(parametersText) }
    }

    /// A text of the form that softokn reads.
    package static func parameters(database: String, label: String) -> String {
        "configdir='sql:\(database)' certPrefix='' keyPrefix='' secmod='secmod.db' flags= "
            + "cryptoTokenDescription='\(label)-crypto' dbTokenDescription='\(label)'"
    }

    /// The checked form of a text.
    package static func checked(_ text: String) throws -> ModuleParameters {
        guard let parameters = ModuleParameters(text) else { throw POSIXError(.EINVAL) }
        return parameters
    }

    /// The URI, module path included.
    package var uri: TokenURI {
        get throws { try TokenURI("pkcs11:token=\(label)?module-path=\(modulePath)") }
    }

    /// Makes the database.
    package init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/keyfob-nss-\(UUID().uuidString)"
        label = "nss-\(UInt32.random(in: 0 ... .max))"
        modulePath = folder + "/libsoftokn3.so"
        pinText = (0..<8).map { _ in UInt8.random(in: 0x30...0x39) }
        try FileManager.default.createDirectory(
            atPath: folder + "/db", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(
            at: URL(fileURLWithPath: Self.library()).resolvingSymlinksInPath(), to: URL(fileURLWithPath: modulePath))
        guard
            FileManager.default.createFile(
                atPath: pinFile, contents: Data(pinText), attributes: [.posixPermissions: 0o600])
        else { throw POSIXError(.EIO) }
        let made = try SpawnedProgram(path: "/usr/bin/certutil").run(["-N", "-d", "sql:\(folder)/db", "-f", pinFile])
        guard made.status == 0 else {
            throw SpawnedProgram.Failure(call: "certutil: \(made.errorText)", errno: 0)
        }
    }

    deinit {
        // A folder that cannot be removed is no fault of what was tested.
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The PIN.
    package func pin() throws -> SecretBytes { try SecretBytes(copying: pinText) }

    /// A PIN that is not the token's.
    package func wrongPIN() throws -> SecretBytes { try SecretBytes(copying: pinText.map { $0 ^ 1 }) }

    /// Opens the token, logged out.
    package func open() throws -> Token { try Token.find(uri, parameters: parameters) }

    /// `libsoftokn3.so` of this host.
    ///
    /// - Throws: if it is not installed: a test of it must not pass then.
    package static func library() throws -> String {
        let places = ["x86_64-linux-gnu", "aarch64-linux-gnu"].flatMap { ["/usr/lib/\($0)", "/usr/lib/\($0)/nss"] }
        for place in places where FileManager.default.fileExists(atPath: place + "/libsoftokn3.so") {
            return place + "/libsoftokn3.so"
        }
        throw SpawnedProgram.Failure(call: "find libsoftokn3.so (scripts/setup installs it)", errno: 0)
    }
}
