// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport

/// What a program is given, as an access policy gives it.
struct Program: Sendable {
    var applicationIdentifier: String?
    var accessGroups: [String] = []
    var applicationGroups: [String] = []
}

/// A keychain that is reached in one of the modes.
protocol KeychainUnderTest: AnyObject, Sendable {
    /// Runs `body` with the SecItem functions of this thread answered as that program's.
    func use<R>(_ program: Program, _ body: () throws -> R) throws -> R

    /// Logs in to the token.
    func unlock() throws

    /// Logs out of the token.
    func lock() throws

    /// Ends the engine and starts it again, as after a restart of the host: before first unlock.
    func restart() throws

    /// Asks the token whether it is there, as a daemon does every two seconds and `keyfob status` at once, and looks for it if
    /// it was gone and that is due.
    ///
    /// - Returns: whether it is there.
    func lookForToken() throws -> Bool

    /// The keychain's UUID, as names of its keys on the token have it.
    func uuid() throws -> String

    /// The PIN of the token, or one that is not.
    func pin(wrong: Bool) throws -> Data

    /// Gives the token another PIN by the engine, which `unlock` uses from then on.
    func changePIN() throws

    /// Takes the passcode away: the token's security officer sets another PIN, which `unlock` uses from then on.
    func removePasscode() throws

    /// The store's file.
    var storePath: String { get }
}

extension KeychainUnderTest {
    /// Asks the token until it is there, or is not.
    func waitForToken(_ isThere: Bool = true) throws {
        guard try eventually({ try lookForToken() == isThere }) else { throw TokenStays(isThere: !isThere) }
    }
}

/// The token did not go, or did not come back.
struct TokenStays: Error {
    let isThere: Bool
}
