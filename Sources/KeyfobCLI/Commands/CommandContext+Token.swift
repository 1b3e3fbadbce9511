// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWords

extension CommandContext {
    /// `keyfob token change-pin` and `keyfob token unblock`.
    func token() throws(Failure) {
        switch invocation.operands.first {
        case "change-pin":
            try refuse([.soPINSource, .destroy], "change-pin")
            try requireOneReader([.pinSource, .newPINSource])
            try withKeychain { (keychain) throws(Failure) in try changePIN(keychain) }
        case "unblock":
            try refuse([.pinSource], "unblock")
            try requireOneReader([.soPINSource, .newPINSource])
            let agreed = try agreedLoss()
            try withKeychain { (keychain) throws(Failure) in try unblock(keychain, agreed) }
        default:
            throw Failure(
                .usage, "keyfob token takes change-pin or unblock", hint: "keyfob token --help shows examples")
        }
    }

    private func changePIN(_ keychain: any OpenKeychain) throws(Failure) {
        try failing { () throws(KeychainError) in
            if try entersOnDevice([.pinSource, .newPINSource], keychain) {
                console.talk("enter the old PIN and then the new one on the device of \(keychain.token.words)")
                return try keychain.changePINOnDevice(finalTry: invocation.has(.finalTry))
            }
            let old = try secrets.pin(explicit: invocation[.pinSource], of: keychain)
            let new = try secrets.replacementPIN(explicit: invocation[.newPINSource], of: keychain)
            try keychain.changePIN(from: old, to: new, finalTry: invocation.has(.finalTry))
        }
        try answer(("changed", .bool(true)), "the PIN of the token is changed")
        warnOfStalePIN(keychain)
    }

    private func unblock(_ keychain: any OpenKeychain, _ agreed: Int?) throws(Failure) {
        let items = try failing { () throws(KeychainError) in
            try keychain.status().keys.filter { $0.id.accessibility == .whenPasscodeSetThisDeviceOnly }
                .reduce(0) { $0 + $1.items }
        }
        let loss = "items of class \(Accessibility.whenPasscodeSetThisDeviceOnly.word) that will be gone: \(items)"
        if items > 0 { console.talk(loss) }
        let confirmed: Int
        if let agreed {
            guard agreed == items else {
                throw Failure(
                    .usage, "nothing was changed: \(items) would be gone, not \(agreed)",
                    hint: "give --destroy \(items)")
            }
            confirmed = agreed
        } else {
            confirmed = try confirmation(items)
        }
        try failing { () throws(KeychainError) in
            if try entersOnDevice([.soPINSource, .newPINSource], keychain) {
                console.talk(
                    "enter the security officer's PIN, then the new PIN, then the new one again to log in, "
                        + "on the device of \(keychain.token.words)")
                return try keychain.unblockOnDevice(destroying: confirmed, finalTry: invocation.has(.finalTry))
            }
            let securityOfficer = try secrets.securityOfficerPIN(explicit: invocation[.soPINSource], of: keychain)
            let new = try secrets.replacementPIN(explicit: invocation[.newPINSource], of: keychain)
            try keychain.unblock(
                new, securityOfficerPIN: securityOfficer, destroying: confirmed, finalTry: invocation.has(.finalTry))
        }
        try answer(
            ("destroyed", .number(Int64(confirmed))), "the new PIN is set and the keychain is locked: keyfob unlock")
        warnOfStalePIN(keychain)
    }

    /// Whether a person enters the PINs on the token's device: it has a way for that, and no option names another source.
    ///
    /// A source that is configured for logins does not count: here somebody is present.
    private func entersOnDevice(
        _ options: [OptionName], _ keychain: any OpenKeychain
    ) throws(KeychainError) -> Bool {
        guard options.allSatisfy({ invocation[$0] == nil }) else { return false }
        return try keychain.hasPINPad()
    }

    /// The value of `--destroy`; nil if it was not given.
    private func agreedLoss() throws(Failure) -> Int? {
        guard let text = invocation[.destroy] else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw Failure(
                .usage, "--destroy takes a number of items", hint: "keyfob token --help shows examples")
        }
        return number
    }

    /// Asks a person to type how many items will be gone.
    private func confirmation(_ items: Int) throws(Failure) -> Int {
        guard items > 0 else { return 0 }
        let typed = try failing { () throws(KeychainError) in
            try secrets.number("Type that number to go on")
        }
        guard let typed else {
            throw Failure(.usage, "nothing was changed: nobody is there to agree", hint: "give --destroy \(items)")
        }
        guard typed == items else {
            throw Failure(.canceled, "nothing was changed: \(typed) is not \(items)")
        }
        return typed
    }

    /// Says that a configured source is to be given the new PIN: the next unlock would spend a try on the old one.
    private func warnOfStalePIN(_ keychain: any OpenKeychain) {
        guard let source = keychain.configuredPINSource else { return }
        console.talk("the configured PIN source has to hold the new PIN: \(Printable.text(source))")
    }

    private func answer(_ member: (String, JSON), _ words: String) throws(Failure) {
        if wantsJSON {
            try console.write(JSON.object([member]).text + "\n")
        } else if console.errorIsTerminal {
            console.talk(words)
        }
    }

    private func refuse(_ options: [OptionName], _ what: String) throws(Failure) {
        guard let option = options.first(where: { invocation[$0] != nil }) else { return }
        throw Failure(
            .usage, "--\(option.rawValue) is no option of keyfob token \(what)",
            hint: "keyfob token --help shows examples")
    }

    /// The standard input can be read once.
    private func requireOneReader(_ options: [OptionName]) throws(Failure) {
        guard options.allSatisfy({ invocation[$0] == "-" }) else { return }
        throw Failure(
            .usage, "only one PIN can come from the standard input", hint: "give the other one by a file")
    }
}
