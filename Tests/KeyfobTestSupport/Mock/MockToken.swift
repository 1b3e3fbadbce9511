// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
package import KeyfobPKCS11

/// A SoftHSM token behind a mock module of its own: what a test scripts happens to nobody else.
///
/// ```swift
/// let mock = try MockToken()
/// let token = try mock.open()
/// mock.script(.answer(.login, .pinIncorrect), .flags(set: .userPINFinalTry))
/// ```
package struct MockToken: Sendable {
    /// The token as it really is.
    package let token: SoftHSMToken
    /// The module in front of it.
    package let module: MockModule
    /// The complete URI, which names the mock module.
    package let uri: TokenURI
    /// The same as text.
    package var uriText: String { uri.string }

    /// Makes a token, with a user PIN unless told otherwise.
    package init(label: String? = nil, withPIN: Bool = true) throws {
        token = try SoftHSMToken.make(label: label, withPIN: withPIN)
        module = try MockModule()
        uri = TokenURI.naming(try token.open().info(), modulePath: module.path)
    }

    /// Opens the token by way of the mock module, logged out, with its own sessions and counter.
    package func open(
        poolSize: Int = Token.defaultPoolSize, patience: Duration = Token.defaultPatience
    ) throws -> Token {
        try Token.find(uri, in: [Module.load(path: module.path)], poolSize: poolSize, patience: patience)
    }

    /// Opens the token, logged in.
    package func openLoggedIn() throws -> Token {
        let opened = try open()
        try opened.login(token.pin())
        return opened
    }

    /// Does the steps at once, in their order.
    package func script(_ steps: MockStep...) {
        module.script(steps)
    }

    /// The same for a list.
    package func script(_ steps: [MockStep]) {
        module.script(steps)
    }

    /// Makes it a token whose PIN is entered on the device, where somebody enters the right one.
    ///
    /// - Parameter newPIN: what is entered as the new PIN, where one is asked for; nil: nobody enters one.
    package func enterPINOnDevice(newPIN: String? = nil) throws {
        module.script(
            .flags(set: .protectedAuthenticationPath), .devicePIN(Self.digits(try token.pin())),
            .deviceSOPIN(Self.digits(try token.soPIN())))
        if let newPIN { module.script(.deviceNewPIN(newPIN)) }
    }

    private static func digits(_ pin: borrowing SecretBytes) -> String {
        unsafe pin.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
