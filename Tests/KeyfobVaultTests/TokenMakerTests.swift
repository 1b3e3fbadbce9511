// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// Modules in which no token can be made.
@Suite(.lendsTokens) struct TokenMakerTests {
    private func make(_ path: String, pin: String = "123456") throws -> KeychainError? {
        let pin = try SecretBytes(copying: Array(pin.utf8))
        return try SoftHSM.shared.withEmptySlot { _ in
            fault { () throws(KeychainError) in
                _ = try TokenMaker.make(modulePath: path, label: "never", pin: pin, soPIN: nil)
            }
        }
    }

    @Test func `A module that is not there is told by its path`() throws {
        let error = try make("/nonexistent/module.so")
        #expect(error?.code == .moduleNotLoadable && error?.subject == .path("/nonexistent/module.so"))
    }

    @Test func `A module without an empty slot says so`() throws {
        let mock = try MockModule()
        mock.script(.flags(set: .tokenInitialized))
        let error = try make(mock.path)
        #expect(error?.code == .notAvailable && error?.remedy == .initializeToken)
        #expect(mock.calls(of: .initToken) == 0)
    }

    @Test(arguments: [CryptokiFunction.initialize, .getSlotList, .initToken])
    func `A call that fails is told by name, and no token is made`(function: CryptokiFunction) throws {
        let mock = try MockModule()
        mock.script(.answer(function, .deviceError))
        let error = try make(mock.path)
        #expect(error?.code == .tokenFailed && error?.function == function.name)
    }
}
