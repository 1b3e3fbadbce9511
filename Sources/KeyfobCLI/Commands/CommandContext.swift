// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobWords

/// One command at work; the verbs are extensions of it, one a file.
struct CommandContext {
    let console: Console
    let access: any KeychainAccess
    let secrets: any SecretInput
    let invocation: Invocation
    /// Shared by all that the command does.
    let given = GivenCredentials()

    /// Whether the answer is to be JSON.
    var wantsJSON: Bool { invocation.has(.json) }

    /// Opens the keychain that the options mean, and closes it after the work.
    func withKeychain(_ work: (any OpenKeychain) throws(Failure) -> Void) throws(Failure) {
        let keychain = try failing { () throws(KeychainError) in try access.open(invocation[.home]) }
        defer { keychain.close() }
        try work(keychain)
    }

    /// Asks for the PIN and logs in; where no source is named and the device asks for it itself, a person enters it there.
    func logIn(to keychain: any OpenKeychain) throws(KeychainError) {
        if invocation[.pinSource] == nil, keychain.configuredPINSource == nil, try keychain.hasPINPad() {
            console.talk("enter the PIN on the device of \(keychain.token.words)")
            return try keychain.unlockOnDevice(finalTry: invocation.has(.finalTry))
        }
        let pin = try secrets.pin(explicit: invocation[.pinSource], of: keychain)
        try keychain.unlock(pin, finalTry: invocation.has(.finalTry))
    }

    /// Whether a command that needs a login makes one: a login that would stay, and for everybody, is made by who asks
    /// for it, with `keyfob unlock` or a PIN source.
    func mayLogIn(to keychain: any OpenKeychain) -> Bool {
        !keychain.staysUnlocked || invocation[.pinSource] != nil
    }

    /// Does the work; if the keychain is too locked for it, logs in and does it once more.
    func unlocking<R: ~Copyable>(
        _ keychain: any OpenKeychain, _ work: () throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        do throws(KeychainError) {
            return try work()
        } catch {
            // A refusal after a login is the item's own, and no more logins would help.
            guard error.code == .interactionNotAllowed, !keychain.isUnlocked, mayLogIn(to: keychain) else {
                throw error
            }
            try logIn(to: keychain)
            return try work()
        }
    }

    /// Makes a failure of a keychain's error.
    ///
    /// - Parameter about: What the work is about, for errors that name nothing.
    func failing<R: ~Copyable>(
        about: String? = nil, _ work: () throws(KeychainError) -> R
    ) throws(Failure) -> R {
        do throws(KeychainError) { return try work() } catch { throw Failure(error, about: about) }
    }
}
