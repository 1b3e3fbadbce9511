// SPDX-License-Identifier: Apache-2.0
internal import Security
internal import Testing

/// One row of a table of the behaviour reference, named by its section.
struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let body: @Sendable () throws -> Void

    /// A row that says by expectations of its own what must hold.
    init(_ name: String, _ body: @escaping @Sendable () throws -> Void) {
        testDescription = name
        self.body = body
    }

    /// A row that ends in the status of a call.
    init(
        _ name: String, gives status: OSStatus, at location: SourceLocation = #_sourceLocation,
        _ call: @escaping @Sendable () throws -> OSStatus
    ) {
        testDescription = name
        body = {
            let found = try call()
            #expect(found == status, "\(name)", sourceLocation: location)
        }
    }

    /// Runs the row in a sandbox.
    func run(_ mode: Mode, on keychain: (any KeychainUnderTest)? = nil) throws {
        try Sandbox.run(mode, on: keychain, body)
    }
}
