// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import KeyfobMemory
package import KeyfobPKCS11
internal import Testing

/// A SoftHSM token of one test alone, for as long as the test runs: label, PIN and SO PIN of its own.
///
/// It goes to another test afterwards (`TokenLoan`), as empty as a new one.
package struct SoftHSMToken: Sendable {
    package let label: String
    /// The complete URI, module path included.
    package let uri: TokenURI
    let slot: SlotID
    private let pinText: [UInt8]
    let soPINText: [UInt8]

    /// What a new token without a user PIN says of itself.
    static let newFlags: TokenFlags = [
        .randomNumberGenerator, .loginRequired, TokenFlags(rawValue: 0x20), .tokenInitialized,
    ]

    /// Makes a token, with a user PIN unless told otherwise.
    ///
    /// A test must be of a suite that `.lendsTokens`; it fails otherwise.
    ///
    /// - Parameter label: its label; a random one by default.
    package static func make(label: String? = nil, withPIN: Bool = true) throws -> SoftHSMToken {
        let label = label ?? "keyfob test \(UInt64.random(in: 0 ... .max))"
        if TokenLoan.current == nil, Test.current != nil {
            Issue.record("a suite with SoftHSM tokens needs @Suite(.lendsTokens)")
        }
        let pin = digits(8)
        let (token, slot, soPIN) = try TokenPool.shared.take(label: label) ?? makeNew(label: label)
        if withPIN { try token.initializePIN(SecretBytes(copying: pin), soPIN: SecretBytes(copying: soPIN)) }
        let made = SoftHSMToken(label: label, uri: token.uri, slot: slot, pinText: pin, soPINText: soPIN)
        TokenLoan.current?.note(made)
        return made
    }

    private static func makeNew(label: String) throws -> (token: Token, slot: SlotID, soPIN: [UInt8]) {
        let soPIN = digits(10)
        return try SoftHSM.shared.withEmptySlot { slot in
            let token = try SoftHSM.shared.module.initializeToken(
                in: slot, label: label, soPIN: SecretBytes(copying: soPIN))
            return (token, slot, soPIN)
        }
    }

    /// The token's URI by way of the mock module, which has the habits that the label names (CKeyfobMockModule.h).
    package func mockURI() throws -> String {
        let module = try SpawnedProgram.productsFolder() + "/libCKeyfobMockModule.so"
        return TokenURI.naming(try open().info(), modulePath: module).string
    }

    /// The user PIN.
    package func pin() throws -> SecretBytes { try SecretBytes(copying: pinText) }

    /// The SO PIN.
    package func soPIN() throws -> SecretBytes { try SecretBytes(copying: soPINText) }

    /// A PIN of the right length that is not the user's.
    package func wrongPIN() throws -> SecretBytes { try SecretBytes(copying: pinText.map { $0 ^ 1 }) }

    /// The same token after its user PIN was changed to a new one.
    package func withNewPIN() throws -> SoftHSMToken {
        let new = Self.digits(8)
        try open().changePIN(from: pin(), to: SecretBytes(copying: new))
        return SoftHSMToken(label: label, uri: uri, slot: slot, pinText: new, soPINText: soPINText)
    }

    /// The same token, known to have another user PIN.
    package func having(pin: [UInt8]) -> SoftHSMToken {
        SoftHSMToken(label: label, uri: uri, slot: slot, pinText: pin, soPINText: soPINText)
    }

    /// The same token, thought to have another SO PIN.
    package func having(soPIN: [UInt8]) -> SoftHSMToken {
        SoftHSMToken(label: label, uri: uri, slot: slot, pinText: pinText, soPINText: soPIN)
    }

    /// Opens the token, logged out, with its own sessions and counter.
    ///
    /// - Parameter interposer: stands between this `Token` and the module.
    package func open(
        interposer: (any CallInterposer)? = nil, poolSize: Int = Token.defaultPoolSize,
        patience: Duration = Token.defaultPatience
    ) throws -> Token {
        let module = try Module.load(path: SoftHSM.shared.modulePath, interposer: interposer)
        return try Token.find(uri, in: [module], poolSize: poolSize, patience: patience)
    }

    /// Opens the token, logged in.
    package func openLoggedIn(interposer: (any CallInterposer)? = nil) throws -> Token {
        let token = try open(interposer: interposer)
        try token.login(pin())
        return token
    }

    private static func digits(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0x30...0x39) }
    }
}
