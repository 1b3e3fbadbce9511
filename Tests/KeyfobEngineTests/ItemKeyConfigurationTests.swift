// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobModel
import Testing

@testable import KeyfobEngine

struct ItemKeyConfigurationTests {
    private func read(_ text: String) throws -> KeychainConfiguration {
        let path = FileManager.default.temporaryDirectory.path + "/keyfob-config-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return try KeychainConfiguration.read(path)
    }

    @Test func `How many item keys are kept, and for how long, is read and written alike`() throws {
        let configuration = try read(
            "{\"token\": \"pkcs11:token=a\", \"item-key-cache\": {\"seconds\": 60, \"keys\": 256}}")
        #expect(configuration.itemKeyCache == ItemKeyCacheLimit(keys: 256, seconds: 60))
        #expect(try read(configuration.json) == configuration)
    }

    @Test func `Nothing said is off, and nothing is written of it`() throws {
        let configuration = try read("{\"token\": \"pkcs11:token=a\"}")
        #expect(configuration.itemKeyCache == nil)
        #expect(!configuration.json.contains("item-key-cache"))
    }

    @Test(arguments: [
        "true", "256", "{}", "{\"keys\": 256}", "{\"keys\": 0, \"seconds\": 60}", "{\"keys\": 1, \"seconds\": 86401}",
        "{\"keys\": 16385, \"seconds\": 60}", "{\"keys\": 1, \"seconds\": 1, \"more\": 1}",
        "{\"keys\": \"1\", \"seconds\": 1}",
    ])
    func `What is no such limit is refused by name`(value: String) throws {
        let error = try #require(throws: KeychainError.self) {
            try read("{\"token\": \"pkcs11:token=a\", \"item-key-cache\": \(value)}")
        }
        #expect(error.code == .configurationInvalid)
        #expect("\(error)".contains("item-key-cache"))
    }
}
