// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobMemory
package import KeyfobModel
internal import KeyfobPKCS11
internal import KeyfobPlatform
internal import KeyfobStore
internal import KeyfobVault

/// What a new keychain is made of.
package struct KeychainPlan: ~Copyable {
    /// The token's URI, or nil: a software token is made in the keychain's folder.
    package var token: String?
    /// The security officer's PIN of the software token, or nil: a random one that nobody learns.
    package var soPIN: SecretBytes?
    /// What the module of the URI's `module-path` is initialised with; nil: nothing.
    package var moduleParameters: String?
    /// Whether the module runs in a process of its own.
    package var isolatesModule = false
    /// What goes into `config.json` about the PIN.
    package var pinSource: String?
    /// What goes into `config.json` about memory that cannot be locked, or nil: nothing.
    package var lockedMemory: KeychainConfiguration.LockedMemory?
    package var pinentry: String?
    /// Whether a key for items that need a person is made at the first login.
    package var makesPresenceKey = true
    /// How the class keys may be kept.
    package var keys = KeyPolicy()

    package init(
        token: String? = nil, soPIN: consuming SecretBytes? = nil, pinSource: String? = nil,
        lockedMemory: KeychainConfiguration.LockedMemory? = nil, pinentry: String? = nil
    ) {
        self.token = token
        self.soPIN = soPIN
        self.pinSource = pinSource
        self.lockedMemory = lockedMemory
        self.pinentry = pinentry
    }
}

extension KeychainEngine {
    /// Makes a keychain in the folder: the software token if none is named, the class keys, the store; then opens it.
    ///
    /// Nothing is left behind when a step fails, but for the folder and a software token that was made before.
    ///
    /// - Parameter pin: nil: a person enters it on the device of the token that the plan names.
    /// - Throws: `.keychainExists`, `.keychainInUse`, `.permissions`, the PIN's and the token's faults,
    ///   `.residenceRefused` if the token cannot keep the class keys, the store's faults.
    package static func create(
        _ home: KeychainHome, _ plan: consuming KeychainPlan, pin: borrowing SecretBytes?,
        progress: (ProvisioningStep) -> Void = { _ in }
    ) throws(KeychainError) -> KeychainEngine {
        try PrivateFolder.create(home.path)
        SecretArena.shared.setPolicy(plan.lockedMemory == .require ? .require : .prefer)
        let lock = try OwnerLock.acquire(home.ownerLock, patience: 0)
        guard unsafe access(home.database, F_OK) != 0 else {
            throw KeychainError(.keychainExists, .create, subject: .path(home.path))
        }
        var configuration = try configuration(home, plan, pin)
        try makeKeys(home, &configuration, plan.keys, pin, progress)
        return try KeychainEngine(home, configuration, lock)
    }

    private static func configuration(
        _ home: KeychainHome, _ plan: borrowing KeychainPlan, _ pin: borrowing SecretBytes?
    ) throws(KeychainError) -> KeychainConfiguration {
        var configuration = KeychainConfiguration(
            token: plan.token ?? "", isSoftwareToken: plan.token == nil, pinSource: plan.pinSource,
            lockedMemory: plan.lockedMemory, pinentry: plan.pinentry)
        configuration.makesPresenceKey = plan.makesPresenceKey
        configuration.moduleParameters = try moduleParameters(plan)
        configuration.isolatesModule = plan.isolatesModule
        if plan.token == nil {
            let software = SoftwareToken(home)
            // A configuration that cannot be read, or is of a token elsewhere, names no earlier try.
            if software.exists, let earlier = try? KeychainConfiguration.read(home.configuration),
                earlier.isSoftwareToken
            {
                // An earlier try got as far as the token: it is used, so that trying again harms nothing.
                configuration.token = earlier.token
            } else {
                configuration.token = try make(software, pin, plan.soPIN)
            }
        }
        try ConfigurationFile.write(configuration.json, to: home.configuration)
        return configuration
    }

    /// The plan's parameters, if a module can be given them.
    private static func moduleParameters(
        _ plan: borrowing KeychainPlan
    ) throws(KeychainError) -> ModuleParameters? {
        guard let text = plan.moduleParameters else { return nil }
        guard let parameters = ModuleParameters(text), plan.token != nil else {
            throw KeychainError(
                .invalidParameter, .create, subject: .parameter("module-parameters"),
                cause: .format(
                    place: "module-parameters", fault: "must not be empty nor have a NUL, and need a token's URI"))
        }
        return parameters
    }

    private static func make(
        _ software: SoftwareToken, _ pin: borrowing SecretBytes?, _ soPIN: borrowing SecretBytes?
    ) throws(KeychainError) -> String {
        switch pin {
        case .some(let pin): return try software.make(label: "keyfob", pin: pin, soPIN: soPIN)
        // It has no device that one could be entered on.
        case .none: throw KeychainError(.pinNotGiven, .create)
        }
    }

    /// The token that a URI names, if its PIN can be entered on its device; nil if it has no way for that.
    ///
    /// - Throws: `.configurationInvalid`, `.tokenNotFound`, `.tokenAmbiguous`, `.moduleNotLoadable`, `.tokenFailed`.
    package static func tokenWithPINPad(_ uri: String) throws(KeychainError) -> TokenIdentity? {
        do throws(PKCS11Error) {
            let token = try Token.find(TokenURI(uri))
            return try token.info().flags.contains(.protectedAuthenticationPath) ? token.identity : nil
        } catch {
            throw KeychainError(error, .create)
        }
    }

    private static func makeKeys(
        _ home: KeychainHome, _ configuration: inout KeychainConfiguration, _ policy: KeyPolicy,
        _ pin: borrowing SecretBytes?, _ progress: (ProvisioningStep) -> Void
    ) throws(KeychainError) {
        if configuration.isSoftwareToken { try SoftwareToken(home).prepare() }
        let token: Token
        let keychain: ItemUUID
        do {
            token = try Token.find(
                TokenURI(configuration.token), parameters: configuration.moduleParameters,
                isolated: configuration.isolatesModule)
        } catch {
            throw KeychainError(error, .create)
        }
        keychain = try Vault.freshUUID(.create)
        var found = configuration
        try provision(home, keychain, token, policy, pin, progress) { (keys) throws(KeychainError) in
            // What the probe found is needed at each opening, so it is written before there is anything to open.
            if token.gcmVariant == .withoutIVBits {
                found.hasFiveFieldGCM = true
                try ConfigurationFile.write(found.json, to: home.configuration)
            }
            let record = KeychainRecord(
                uuid: keychain.bytes, created: Int64(WallClock.now()), token: token.identity,
                indexKey: keys.sealedIndexKey)
            try ItemStore.create(home.database, record, keys.records.map(\.stored)).close()
        }
        configuration = found
    }

    /// Makes the class keys and the store, or neither.
    private static func provision(
        _ home: KeychainHome, _ keychain: ItemUUID, _ token: Token, _ policy: KeyPolicy, _ pin: borrowing SecretBytes?,
        _ progress: (ProvisioningStep) -> Void, keep: (Provisioner.Keys) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        do throws(KeychainError) {
            switch pin {
            case .some(let pin):
                try Provisioner.run(keychain: keychain, token: token, policy, pin: pin, progress: progress, keep: keep)
            case .none:
                try Provisioner.runWithPINOnDevice(
                    keychain: keychain, token: token, policy, progress: progress, keep: keep)
            }
        } catch {
            // The keys of a store that was made just now are gone again.
            for suffix in ["", "-wal", "-shm"] { unsafe unlink(home.database + suffix) }
            throw error
        }
    }
}
