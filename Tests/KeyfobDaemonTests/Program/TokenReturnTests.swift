// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

@testable import KeyfobDaemon

/// What a daemon with a PIN source does when its token has come back.
@Suite(.lendsTokens) struct TokenReturnTests {
    private let mock: MockToken
    private let made: TestKeychain
    private let settings: DaemonSettings
    private let keychain: DaemonKeychain

    init() throws {
        mock = try MockToken()
        made = try TestKeychain(token: mock.token, uri: mock.uriText)
        made.engine.close()
        let file = made.home.path + "/pin"
        let bytes = unsafe try mock.token.pin().withUnsafeBytes { unsafe Data($0) }
        #expect(
            FileManager.default.createFile(atPath: file, contents: bytes, attributes: [.posixPermissions: 0o600]))
        var options = DaemonOptions()
        options.home = made.home.path
        options.socket = made.home.path + "/socket"
        options.pinSource = file
        settings = try DaemonSettings(options, currentFolder: nil) { _ in nil }
        keychain = try DaemonKeychain(settings, patience: 30)
        #expect(keychain.unlockWithoutAsking(settings) == .unlocked)
        mock.script(.remove())
        keychain.followToken(settings)
        #expect(keychain.engine.lockState == .noToken)
        mock.script(.insert)
    }

    private func followToken() throws {
        #expect(
            eventually {
                keychain.followToken(settings)
                return keychain.engine.tokenReturns == 1
            })
    }

    @Test func `A keychain whose token has come back is unlocked by itself`() throws {
        defer { keychain.engine.close() }
        try followToken()
        #expect(keychain.engine.lockState == .unlocked)
    }

    @Test func `A keychain that was unlocked and locked since its token came back stays locked`() throws {
        defer { keychain.engine.close() }
        try keychain.engine.unlock(mock.token.pin())
        try keychain.engine.lock()
        try followToken()
        #expect(keychain.engine.lockState == .locked)
    }
}
