// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobWords

extension CommandContext {
    /// `keyfob unlock`: one login.
    func unlock() throws(Failure) {
        try withKeychain { (keychain) throws(Failure) in
            try failing { () throws(KeychainError) in try logIn(to: keychain) }
            try announce("unlocked", lasting: keychain.staysUnlocked)
            guard !keychain.staysUnlocked else { return }
            console.talk("the PIN is right; no daemon keeps the login, so it ends with this command")
        }
    }

    /// `keyfob lock`: one logout.
    func lock() throws(Failure) {
        try withKeychain { (keychain) throws(Failure) in
            try failing { () throws(KeychainError) in try keychain.lock() }
            try announce("locked", lasting: true)
            guard !keychain.staysUnlocked else { return }
            console.talk("no daemon keeps a login, so the keychain is locked whenever no command runs")
        }
    }

    private func announce(_ state: String, lasting: Bool) throws(Failure) {
        guard wantsJSON else { return }
        try console.write(JSON.object([("state", .string(state)), ("lasting", .bool(lasting))]).text + "\n")
    }
}
