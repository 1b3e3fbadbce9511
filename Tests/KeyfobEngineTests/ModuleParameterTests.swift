// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobEngine

@Suite(.lendsTokens) struct ModuleParameterTests {
    private func read(_ text: String) throws -> KeychainConfiguration {
        let path = FileManager.default.temporaryDirectory.path + "/keyfob-config-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return try KeychainConfiguration.read(path)
    }

    /// A new keychain on the mock module, and the module.
    private func make(_ parameters: String?, on mock: MockToken, at home: KeychainHome) throws -> KeychainEngine {
        var plan = KeychainPlan(token: mock.uriText)
        plan.makesPresenceKey = false
        plan.moduleParameters = parameters
        return try KeychainEngine.create(home, plan, pin: mock.token.pin())
    }

    private func withHome(_ body: (KeychainHome) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/keyfob-test-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(KeychainHome.resolve(explicit: folder))
    }

    @Test func `Parameters are read and written alike`() throws {
        let configuration = try read(#"{"token": "pkcs11:token=a", "module-parameters": "dir='a \"b\"'"}"#)
        #expect(configuration.moduleParameters?.text == "dir='a \"b\"'")
        #expect(try read(configuration.json) == configuration)
    }

    @Test(arguments: ["\"\"", "\"a\\u0000b\"", "1", "null"])
    func `What is no text of parameters is refused by name`(value: String) throws {
        let error = try #require(throws: KeychainError.self) {
            try read("{\"token\": \"pkcs11:token=a\", \"module-parameters\": \(value)}")
        }
        #expect(error.code == .configurationInvalid)
    }

    @Test func `Isolation is read and written alike, and off unless it is said`() throws {
        let configuration = try read(#"{"token": "pkcs11:token=a", "isolate": true}"#)
        #expect(configuration.isolatesModule)
        #expect(try read(configuration.json) == configuration)
        #expect(try !read(#"{"token": "pkcs11:token=a"}"#).isolatesModule)
        #expect(throws: KeychainError.self) { try read(#"{"token": "pkcs11:token=a", "isolate": "yes"}"#) }
    }

    @Test func `A keychain gives its module the parameters at each opening`() throws {
        let mock = try MockToken()
        try withHome { home in
            try make("mock:one", on: mock, at: home).close()
            #expect(mock.module.parameters == "mock:one")
            let calls = mock.module.calls(of: .initialize)
            let engine = try KeychainEngine.open(home, patience: 30)
            #expect(mock.module.calls(of: .initialize) == calls + 1)
            #expect(engine.configuration.moduleParameters?.text == "mock:one")
            try engine.unlock(mock.token.pin())
            engine.close()
        }
    }

    @Test func `Parameters that the module refuses make no keychain, and the error names the module`() throws {
        let mock = try MockToken()
        try withHome { home in
            let error = #expect(throws: KeychainError.self) { try make("other", on: mock, at: home) }
            #expect(error?.code == .moduleNotLoadable)
            #expect(error?.subject == .path(mock.module.path))
            let isMade = try home.holdsKeychain()
            #expect(!isMade)
        }
    }

    @Test func `A second keychain of the process with other parameters is refused`() throws {
        let mock = try MockToken()
        try withHome { home in
            let first = try make("mock:one", on: mock, at: home)
            try withHome { other in
                let error = #expect(throws: KeychainError.self) { try make("mock:two", on: mock, at: other) }
                #expect(error?.code == .moduleNotLoadable)
                #expect(error?.subject == .path(mock.module.path))
            }
            try first.unlock(mock.token.pin())
            first.close()
        }
    }

    @Test func `Parameters for a token that no module path names are refused`() throws {
        let mock = try MockToken()
        try withHome { home in
            let error = #expect(throws: KeychainError.self) {
                var plan = KeychainPlan(token: "pkcs11:token=\(mock.token.label)")
                plan.moduleParameters = "mock:one"
                _ = try KeychainEngine.create(home, plan, pin: mock.token.pin())
            }
            #expect(error?.code == .configurationInvalid)
        }
    }
}
