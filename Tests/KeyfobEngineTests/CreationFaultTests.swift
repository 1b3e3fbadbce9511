// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// Keychains whose token fails while they are made.
@Suite(.lendsTokens) struct CreationFaultTests {
    @Test func `A token that cannot be logged out again has no keychain, and the next try makes one`() throws {
        let mock = try MockToken()
        let folder = FileManager.default.temporaryDirectory.path + "/keyfob-test-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let home = try KeychainHome.resolve(explicit: folder)
        mock.script(.answer(.logout, .functionFailed))
        let error = #expect(throws: KeychainError.self) {
            _ = try KeychainEngine.create(home, KeychainPlan(token: mock.uri.string), pin: mock.token.pin())
        }
        #expect(error?.cause == .pkcs11(function: "C_Logout", returnValue: ReturnValue.functionFailed.rawValue))
        let database = folder + "/keychain.db"
        #expect(!FileManager.default.fileExists(atPath: database))
        let engine = try KeychainEngine.create(home, KeychainPlan(token: mock.uri.string), pin: mock.token.pin())
        defer { engine.close() }
        #expect(FileManager.default.fileExists(atPath: database))
        try engine.unlock(mock.token.pin())
        let service = engine.service(with: Entitlements(applicationIdentifier: "test", keychainAccessGroups: []))
        try service.add("mail", value: [7])
        #expect(try service.value("mail") == [7])
    }
}
