// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobMemory
internal import Security
internal import SecurityEmbedded

/// Works through the public API as programs do, and waits so that the test can look for the PIN.
///
/// Only for the PIN: Foundation copies the bytes of every `Data` that comes out of an `NSDictionary` (its `NSData.copy`)
/// and wipes nothing, neither for the caller nor for us.
enum ApplicationMemoryVerb {
    static func run() throws {
        let keychain = try EmbeddedKeychain.open(pin: .configured)
        let status = work()
        guard status.allSatisfy({ $0 == errSecSuccess }) else { return Answer.line("\(status)") }
        Answer.pause("released")
        try keychain.lock()
        Answer.pause("locked")
        keychain.close()
        Answer.pause("closed")
    }

    /// Opens and closes the keychain and prints the status.
    static func open() {
        do {
            try EmbeddedKeychain.open(pin: .configured).close()
            Answer.line("\(errSecSuccess)")
        } catch {
            Answer.line("\((error as? EmbeddedKeychainError)?.status ?? errSecInternalError)")
        }
    }

    private static func work() -> [OSStatus] {
        let query: [String: Any] = [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "mail"]
        var item = query
        item[kSecValueData as String] = Data([1, 2, 3])
        var search = query
        search[kSecReturnData as String] = true
        var result: CFTypeRef?
        return [
            SecItemAdd(item as CFDictionary, nil), unsafe SecItemCopyMatching(search as CFDictionary, &result),
            SecItemDelete(query as CFDictionary),
        ]
    }
}
