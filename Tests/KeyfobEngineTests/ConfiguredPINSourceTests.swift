// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobEngine
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct ConfiguredPINSourceTests {
    private func source(configured: String) throws -> String? {
        let keychain = try TestKeychain()
        keychain.engine.close()
        let path = keychain.home.path + "/config.json"
        var settings = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path))) as? [String: Any])
        settings["pin-source"] = configured
        try JSONSerialization.data(withJSONObject: settings).write(to: URL(filePath: path))
        try keychain.reopen()
        return keychain.engine.configuredPINSource.map {
            $0.replacingOccurrences(of: keychain.home.path, with: "HOME")
        }
    }

    @Test func `A relative path in the configuration counts from the keychain's folder`() throws {
        #expect(try source(configured: "file:pin") == "file:HOME/pin")
    }

    @Test func `An absolute path stays as it is`() throws {
        #expect(try source(configured: "file:/run/pin") == "file:/run/pin")
    }

    @Test func `A text that names no source does not keep the keychain from opening`() throws {
        #expect(try source(configured: "|echo 1234") == "|echo 1234")
    }
}
