// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport

/// A keychain with a presence key, and items that need a person.
struct PresenceLab {
    let keychain: TestKeychain
    static let presence = AccessControl.Constraint.userPresence.rawValue
    static let password = AccessControl.Constraint.applicationPassword.rawValue

    /// On a token as it is.
    init() throws {
        keychain = try TestKeychain(presence: true).unlocked()
    }

    /// On a token that does what a test scripts.
    init(on mock: MockToken) throws {
        keychain = try TestKeychain(token: mock.token, uri: mock.uri.string, presence: true).unlocked()
    }

    /// On a token that takes `CKA_ALWAYS_AUTHENTICATE`, says that it has it, and does not ask.
    static func onTokenThatDoesNotAsk() throws -> PresenceLab {
        let mock = try MockToken()
        mock.script(MockStep.ignoresAlwaysAuthenticate(saying: true))
        return try PresenceLab(on: mock)
    }

    var service: any KeychainService { keychain.service() }

    /// The right PIN, a wrong one, a password, as one request gives them.
    func pin() throws -> Credentials { Credentials(pin: try keychain.token.pin()) }

    func wrongPIN() throws -> Credentials { Credentials(pin: try keychain.token.wrongPIN()) }

    func password(_ text: String, withPIN: Bool = false) throws -> Credentials {
        let pin: SecretBytes? = if withPIN { try keychain.token.pin() } else { nil }
        return Credentials(pin: pin, applicationPassword: try SecretBytes(copying: Array(text.utf8)))
    }

    @discardableResult
    func add(
        _ name: String, flags: UInt64 = presence, protection: Accessibility = .whenUnlocked,
        value: [UInt8]? = [1, 2, 3],
        _ credentials: Credentials? = nil
    ) throws -> MatchResult {
        let secret: SecretBytes? = if let value { try SecretBytes(copying: value) } else { nil }
        var request = AddRequest(
            itemClass: .genericPassword, attributes: [.service: .text(name)],
            accessControl: AccessControl(protection: protection, flags: flags, hasRules: true), value: secret)
        request.credentials = credentials
        return try service.add(request)
    }

    func query(_ name: String? = nil) -> ItemQuery {
        ItemQuery(itemClass: .genericPassword, attributes: name.map { [.service: .text($0)] } ?? [:])
    }

    func copy(
        _ name: String? = nil, _ credentials: Credentials? = nil, limit: MatchLimit = .count(1),
        returns: ReturnFlags = .data, ui: AuthenticationUI = .allow
    ) throws -> MatchResult {
        var request = MatchRequest(query(name), limit: limit, returns: returns, authenticationUI: ui)
        request.credentials = credentials
        return try service.copyMatching(request)
    }

    func value(_ name: String, _ credentials: Credentials?) throws -> [UInt8]? {
        let result = try copy(name, credentials)
        return result.withValue(of: result.items[0]) { $0?.array }
    }

    func update(
        _ name: String, _ credentials: Credentials?, changes: AttributeSet = [:], value: [UInt8]? = nil,
        accessibility: Accessibility? = nil, flags: UInt64? = nil
    ) throws {
        let secret: SecretBytes? = if let value { try SecretBytes(copying: value) } else { nil }
        let control = flags.map { AccessControl(protection: .whenUnlocked, flags: $0, hasRules: true) }
        var request = UpdateRequest(
            query(name), changes: changes, accessibility: accessibility, accessControl: control, value: secret)
        request.credentials = credentials
        try service.update(request)
    }

    /// How often a PIN reached the token while `body` ran.
    func logins(_ body: () throws -> Void) rethrows -> Int {
        let before = keychain.engine.tokenCalls["C_Login"] ?? 0
        try body()
        return (keychain.engine.tokenCalls["C_Login"] ?? 0) - before
    }
}
