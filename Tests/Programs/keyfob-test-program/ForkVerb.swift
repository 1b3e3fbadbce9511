// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Security
internal import SecurityEmbedded

/// A program with the engine that forks while its keychain is open.
enum ForkVerb {
    /// Prints the status of a search before the fork, in the child and in the parent afterwards.
    static func run() throws {
        let keychain = try EmbeddedKeychain.open(pin: .configured)
        Answer.line("\(search())")
        // Swift hides fork(2); this program has looked once, so the child does nothing for the first time.
        guard let symbol = unsafe dlsym(nil, "fork") else { return Answer.line("no fork") }
        let fork = unsafe unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
        let child = fork()
        if child == 0 {
            alarm(30)
            Answer.line("\(search())")
            _exit(0)
        }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
        Answer.line("\(search())")
        keychain.close()
    }

    private static func search() -> OSStatus {
        let query: [String: Any] = [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "fork"]
        return SecItemCopyMatching(query as CFDictionary, nil)
    }
}
