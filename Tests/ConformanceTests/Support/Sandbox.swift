// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// What a row works in: a keychain, as a program whose groups nobody else has.
struct Sandbox: Sendable {
    let keychain: any KeychainUnderTest
    /// The program's application identifier, its only group at first.
    let group: String
    let mode: Mode

    /// The sandbox of the row that runs.
    @TaskLocal static var current: Sandbox?

    /// Runs `body` in groups of its own on the mode's shared keychain, or on `keychain`.
    static func run(_ mode: Mode, on keychain: (any KeychainUnderTest)? = nil, _ body: () throws -> Void) throws {
        let keychain = try keychain ?? mode.sharedKeychain()
        let sandbox = Sandbox(keychain: keychain, group: "row.\(UUID().uuidString)", mode: mode)
        try $current.withValue(sandbox) {
            try keychain.use(Program(applicationIdentifier: sandbox.group), body)
        }
    }
}

/// The default group of the running row's program.
var ownGroup: String { Sandbox.current?.group ?? "" }

/// A group that belongs to the running row and that its program is given only on request.
func otherGroup(_ name: String = "other") -> String { "\(ownGroup).\(name)" }

/// Runs `body` as a program with those access groups and no application identifier.
@discardableResult
func asProgram<R>(groups: [String], _ body: () throws -> R) throws -> R {
    try asProgram(Program(accessGroups: groups), body)
}

/// Runs `body` as that program.
@discardableResult
func asProgram<R>(_ program: Program, _ body: () throws -> R) throws -> R {
    guard let sandbox = Sandbox.current else { throw NoSandbox() }
    return try sandbox.keychain.use(program, body)
}

/// A row ran outside of a sandbox: a fault of the suite.
struct NoSandbox: Error {}
