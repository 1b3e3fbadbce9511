// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobModel
import Testing

@testable import KeyfobEngine

struct IdleConfigurationTests {
    private func read(_ text: String) throws -> KeychainConfiguration {
        let path = FileManager.default.temporaryDirectory.path + "/keyfob-config-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return try KeychainConfiguration.read(path)
    }

    @Test(arguments: ["15m", "2h", "never"])
    func `The time without use is read and written alike`(text: String) throws {
        let configuration = try read("{\"token\": \"pkcs11:token=a\", \"idle\": \"\(text)\"}")
        #expect(configuration.idle == IdleLimit(text))
        #expect(try read(configuration.json) == configuration)
    }

    @Test func `Nothing said is nil`() throws {
        #expect(try read("{\"token\": \"pkcs11:token=a\"}").idle == nil)
    }

    @Test(arguments: ["\"soon\"", "\"0s\"", "\"8d\"", "900", "true"])
    func `What is no time is refused by name`(value: String) throws {
        let error = try #require(throws: KeychainError.self) {
            try read("{\"token\": \"pkcs11:token=a\", \"idle\": \(value)}")
        }
        #expect(error.code == .configurationInvalid)
        #expect("\(error)".contains("idle"))
    }
}
