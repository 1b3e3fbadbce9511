// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobEngine
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPKCS11
internal import KeyfobPlatform

/// A keychain on a SoftHSM token of its own in a throw-away folder.
final class BenchKeychain {
    static let pin: [UInt8] = Array("84021375".utf8)

    let folder: String
    let home: KeychainHome
    private(set) var engine: KeychainEngine

    /// Makes folder, token and keychain, and logs in.
    init() throws {
        folder = try Self.makeFolder()
        home = try KeychainHome.resolve(explicit: folder + "/keychain")
        engine = try KeychainEngine.create(home, KeychainPlan(), pin: SecretBytes(copying: Self.pin))
        try engine.unlock(SecretBytes(copying: Self.pin))
    }

    deinit {
        engine.close()
        Self.remove(folder)
    }

    /// The keychain as this user's programs see it, `keyfob` among them.
    var service: any KeychainService { engine.service(for: .current()) }

    /// The module of the token.
    func modulePath() throws -> String {
        guard let path = try TokenURI(engine.configuration.token).modulePath else {
            throw BenchFailure("the token's URI names no module")
        }
        return path
    }

    func unlock() throws {
        try engine.unlock(SecretBytes(copying: Self.pin))
    }

    /// Closes it, as other processes need it.
    func close() {
        engine.close()
    }

    func open() throws {
        engine = try KeychainEngine.open(home)
    }

    /// Bytes of the store and its log.
    var storeSize: Int {
        [home.path + "/keychain.db", home.path + "/keychain.db-wal"].reduce(0) { total, path in
            var status = stat()
            return unsafe stat(path, &status) == 0 ? total + Int(status.st_size) : total
        }
    }

    // MARK: - Throw-away folders

    static func makeFolder() throws(BenchFailure) -> String {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/keyfob-bench-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw BenchFailure("no folder can be made in \(parent)") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func remove(_ folder: String) {
        // A throw-away folder that cannot be removed stays behind, and its name says whose it was.
        do { _ = try Program.run("rm", ["-rf", folder]) } catch {}
    }
}
