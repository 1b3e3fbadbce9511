// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import KeyfobEngine
internal import KeyfobMemory
package import KeyfobModel
internal import KeyfobPKCS11

/// A keychain of one test alone, on a SoftHSM token of its own, in a folder that goes when the last user lets go.
package final class TestKeychain {
    package private(set) var token: SoftHSMToken
    package let home: KeychainHome
    package private(set) var engine: KeychainEngine

    /// Makes the keychain; it is before first unlock.
    ///
    /// - Parameters:
    ///   - uri: how the token is named; by default as it names itself.
    ///   - presence: whether it gets a key for items that need a person, which takes a login a while.
    package init(token: SoftHSMToken? = nil, uri: String? = nil, presence: Bool = false) throws {
        let token = try token ?? SoftHSMToken.make()
        self.token = token
        let folder = FileManager.default.temporaryDirectory.path + "/keyfob-test-\(UUID().uuidString)"
        home = try KeychainHome.resolve(explicit: folder)
        var plan = KeychainPlan(token: uri ?? token.uri.string)
        plan.makesPresenceKey = presence
        engine = try KeychainEngine.create(home, plan, pin: token.pin())
    }

    deinit {
        engine.close()
        // A folder that cannot be removed is no fault of what was tested.
        try? FileManager.default.removeItem(atPath: home.path)
    }

    /// Logs in.
    @discardableResult
    package func unlocked() throws -> TestKeychain {
        try engine.unlock(token.pin())
        return self
    }

    /// Closes the keychain and opens it again, as a new process would find it.
    package func reopen(audit: AuditPlan = AuditPlan()) throws {
        engine.close()
        // A child that another test starts holds the lock too, from its fork to its exec.
        engine = try KeychainEngine.open(home, patience: 30, audit: audit)
    }

    /// Says in the configuration whether a key for items that need a person is made; counts from the next opening.
    package func setPresence(_ isWanted: Bool) throws {
        let path = home.path + "/config.json"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let changed = text.replacingOccurrences(
            of: "\"presence-key\": \(!isWanted)", with: "\"presence-key\": \(isWanted)")
        try changed.write(toFile: path, atomically: false, encoding: .utf8)
    }

    /// Adds a setting, as JSON, to the configuration; counts from the next opening.
    package func configure(_ name: String, _ value: String) throws {
        let path = home.path + "/config.json"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let changed = "{\n  \"\(name)\": \(value)," + text.dropFirst()
        try changed.write(toFile: path, atomically: false, encoding: .utf8)
    }

    /// Gives the token another user PIN; the engine's own login stays as it is.
    package func changePIN() throws {
        token = try token.withNewPIN()
    }

    /// The same as `keyfob token change-pin` does it.
    package func changePINByEngine() throws {
        let new = Array("8\(UInt32.random(in: 100_000...999_999))".utf8)
        try engine.changePIN(from: token.pin(), to: SecretBytes(copying: new))
        token = token.having(pin: new)
    }

    /// Has the security officer set another user PIN; the items of the passcode class go.
    package func unblock() throws {
        let new = Array("9\(UInt32.random(in: 100_000...999_999))".utf8)
        try engine.unblock(
            SecretBytes(copying: new), securityOfficerPIN: token.soPIN(), destroying: engine.passcodeItems())
        token = token.having(pin: new)
    }

    /// The keychain as a program with those groups sees it.
    package func service(_ identifier: String = "test", groups: [String] = []) -> any KeychainService {
        engine.service(with: Entitlements(applicationIdentifier: identifier, keychainAccessGroups: groups))
    }
}
