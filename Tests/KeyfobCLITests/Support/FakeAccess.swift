// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCLI
internal import KeyfobMemory
internal import KeyfobModel

/// A keychain in memory and a person who types what the test says: nothing is sealed, all is recorded.
final class FakeAccess: KeychainAccess, SecretInput {
    let keychain = FakeKeychain()
    var keychainExists = true
    /// What `folder` was asked for.
    var homes: [String?] = []
    /// What is typed when a PIN is asked for.
    var typedPIN = "123456"
    var typedNewPIN = "654321"
    var typedSecurityOfficerPIN = "12345678"
    /// What is typed when a number is asked for; nil: nobody is there.
    var typedNumber: Int?
    private(set) var questions: [String] = []
    /// What comes from the standard input.
    var typedValue: [UInt8] = []
    var openError: KeychainError?
    var policyError: KeychainError?
    var rules: [RuleReport] = []
    private(set) var pinRequests: [(explicit: String?, configured: String?)] = []
    private(set) var valueRequests = 0
    private(set) var created: [(plan: NewKeychain, hasSecurityOfficerPIN: Bool)] = []

    func folder(_ home: String?) throws(KeychainError) -> String {
        homes.append(home)
        return home ?? "/home/ada/.local/share/keyfob"
    }

    func exists(in folder: String) throws(KeychainError) -> Bool { keychainExists }

    func open(_ home: String?) throws(KeychainError) -> any OpenKeychain {
        let folder = try folder(home)
        if let openError { throw openError }
        guard keychainExists else {
            throw KeychainError(.keychainNotFound, .open, subject: .path(folder), remedy: .createKeychain)
        }
        return keychain
    }

    func policy(in file: String) throws(KeychainError) -> [RuleReport] {
        if let policyError { throw policyError }
        return rules
    }

    func caller(_ pid: Int32, _ home: String?) throws(KeychainError) -> CallerReport {
        if let policyError { throw policyError }
        let caller = Caller(
            uid: 1000, gid: 100, groups: [4], pid: pid, startTime: 77, executable: "/usr/bin/shop", unit: nil)
        return CallerReport(
            caller: caller, userName: "ada", rule: rules.first, identifier: "ACME.shop",
            accessGroups: ["ACME.shared", "ACME.shop"],
            seesAll: false)
    }

    /// The token that `init` finds, if it has a keypad.
    var tokenWithPad: TokenIdentity?
    /// Whether a keychain was made with a PIN from here.
    private(set) var createdWithPIN: [Bool] = []

    func tokenWithPINPad(_ uri: String) throws(KeychainError) -> TokenIdentity? { tokenWithPad }

    func create(
        _ folder: String, _ plan: NewKeychain, pin: borrowing SecretBytes?,
        securityOfficerPIN: consuming SecretBytes?, progress: (String) -> Void
    ) throws(KeychainError) -> any OpenKeychain {
        created.append((plan, securityOfficerPIN != nil))
        createdWithPIN.append(pin != nil)
        progress("making the class keys")
        keychainExists = true
        return keychain
    }

    func pin(explicit: String?, of keychain: (any OpenKeychain)?) throws(KeychainError) -> SecretBytes {
        pinRequests.append((explicit, keychain?.configuredPINSource))
        return try secret(Array(typedPIN.utf8))
    }

    /// What was asked for an item: the kind, and whether it was a new one.
    private(set) var credentialRequests: [(kind: Credentials.Kind, isNew: Bool, explicit: String?)] = []
    /// What is typed when an item's password is asked for.
    var typedPassword = "open sesame"
    /// Whether there is nobody to type what an item asks for.
    var isAlone = false

    func credential(
        _ kind: Credentials.Kind, isNew: Bool, explicit: String?, of keychain: any OpenKeychain
    ) throws(KeychainError) -> SecretBytes {
        credentialRequests.append((kind, isNew, explicit))
        guard !isAlone else { throw KeychainError(.pinNotGiven, .prompt) }
        return try secret(Array((kind == .pin ? typedPIN : typedPassword).utf8))
    }

    func newPIN(explicit: String?) throws(KeychainError) -> SecretBytes {
        pinRequests.append((explicit, nil))
        return try secret(Array(typedPIN.utf8))
    }

    func securityOfficerPIN(explicit: String?, of keychain: any OpenKeychain) throws(KeychainError) -> SecretBytes {
        pinRequests.append((explicit, nil))
        return try secret(Array(typedSecurityOfficerPIN.utf8))
    }

    func replacementPIN(explicit: String?, of keychain: any OpenKeychain) throws(KeychainError) -> SecretBytes {
        pinRequests.append((explicit, nil))
        return try secret(Array(typedNewPIN.utf8))
    }

    func number(_ question: String) throws(KeychainError) -> Int? {
        questions.append(question)
        return typedNumber
    }

    func value(label: String) throws(KeychainError) -> SecretBytes {
        valueRequests += 1
        return try secret(typedValue)
    }

    private func secret(_ bytes: [UInt8]) throws(KeychainError) -> SecretBytes {
        do throws(SecretMemoryError) { return try SecretBytes(copying: bytes) } catch {
            throw KeychainError(error, .prompt)
        }
    }
}
