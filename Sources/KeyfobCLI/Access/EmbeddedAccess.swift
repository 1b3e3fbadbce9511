// SPDX-License-Identifier: Apache-2.0
internal import KeyfobEngine
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWords

/// Keychains opened in this process: one command, one owner.
struct EmbeddedAccess: KeychainAccess {
    /// How long to wait for another command that has the keychain open, in seconds.
    private static let patience = 10.0

    func folder(_ home: String?) throws(KeychainError) -> String {
        try KeychainHome.resolve(explicit: home).path
    }

    func exists(in folder: String) throws(KeychainError) -> Bool {
        try KeychainHome.resolve(explicit: folder).holdsKeychain()
    }

    func open(_ home: String?) throws(KeychainError) -> any OpenKeychain {
        let home = try KeychainHome.resolve(explicit: home)
        return EmbeddedKeychain(try KeychainEngine.open(home, patience: Self.patience))
    }

    func policy(in file: String) throws(KeychainError) -> [RuleReport] {
        try AccessPolicy.read(file: file).rules.map { RuleReport($0) }
    }

    func caller(_ pid: Int32, _ home: String?) throws(KeychainError) -> CallerReport {
        try CallerReport(Caller.of(pid: pid), in: try KeychainHome.resolve(explicit: home))
    }

    func tokenWithPINPad(_ uri: String) throws(KeychainError) -> TokenIdentity? {
        try KeychainEngine.tokenWithPINPad(uri)
    }

    func create(
        _ folder: String, _ plan: NewKeychain, pin: borrowing SecretBytes?,
        securityOfficerPIN: consuming SecretBytes?, progress: (String) -> Void
    ) throws(KeychainError) -> any OpenKeychain {
        let home = try KeychainHome.resolve(explicit: folder)
        var whole = KeychainPlan(token: plan.token, soPIN: securityOfficerPIN)
        whole.moduleParameters = plan.moduleParameters
        whole.isolatesModule = plan.isolatesModule
        whole.keys = plan.keys
        let engine = try KeychainEngine.create(home, whole, pin: pin) { step in progress(Self.words(step)) }
        return EmbeddedKeychain(engine)
    }

    private static func words(_ step: ProvisioningStep) -> String {
        switch step {
        case .probing: "finding out what the token can do"
        case .making(let accessibility): "making the class key \(accessibility.code) (\(accessibility.word))"
        }
    }
}
