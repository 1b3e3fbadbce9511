// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import Synchronization

extension Token {
    /// The one token that a URI names.
    ///
    /// Looked for in the module of `module-path`, else in that of `module-name`, else in every module registered with
    /// p11-kit.
    ///
    /// - Parameters:
    ///   - parameters: what the module of `module-path` is initialised with.
    ///   - isolated: whether the module runs in a process of its own (`Module.isolate`).
    /// - Throws: `.tokenNotFound`, `.ambiguous` with the candidates, `.moduleNotRegistered`; as `Module.load(path:)`;
    ///   `.invalidURI` if there are parameters and no `module-path`.
    package static func find(
        _ uri: TokenURI, parameters: ModuleParameters? = nil, isolated: Bool = false
    ) throws(PKCS11Error) -> Token {
        if isolated { return try find(uri, in: [try Module.isolate(uri, parameters: parameters)]) }
        if let path = uri.modulePath {
            return try find(uri, in: [try Module.load(path: path, parameters: parameters)])
        }
        guard parameters == nil else { throw PKCS11Error(.invalidURI(.noModulePath)) }
        if let name = uri.moduleName { return try find(uri, in: [try Module.load(name: name)]) }
        let (modules, failed) = try Module.registered()
        return try find(uri, in: modules, failed: failed)
    }

    /// The one token of `modules` that a URI names; `module-path` and `module-name` are not looked at.
    ///
    /// - Throws: `.tokenNotFound`, `.ambiguous` with the candidates.
    package static func find(
        _ uri: TokenURI, in modules: [Module], failed: [String] = [], poolSize: Int = defaultPoolSize,
        patience: Duration = defaultPatience
    ) throws(PKCS11Error) -> Token {
        var failed = failed
        var found: [(module: Module, slot: SlotID, info: TokenInfo)] = []
        for module in modules {
            do throws(PKCS11Error) {
                guard uri.matches(try module.info()) else { continue }
                for (slot, info) in try module.tokens() where uri.matches(info) { found.append((module, slot, info)) }
            } catch {
                guard modules.count > 1 else { throw error }
                // One broken driver must not hide the tokens of the others; its name is told.
                failed.append(module.name ?? module.path ?? "unnamed")
            }
        }
        guard let first = found.first else {
            throw PKCS11Error(.tokenNotFound(uri: uri.string, failedModules: failed))
        }
        guard found.count == 1 else { throw PKCS11Error(.ambiguous(found.map(\.info.identity))) }
        return Token(
            module: first.module, slot: first.slot, info: first.info, poolSize: poolSize, patience: patience)
    }

    /// Looks for the token again after it was gone: it may be in another slot.
    ///
    /// Login and sessions start anew: a login that outlived the fault is ended.
    ///
    /// - Throws: `.tokenNotFound`, `.ambiguous` if another token now says the same of itself; what `C_OpenSession`,
    ///   `C_GetSessionInfo` or `C_Logout` returned.
    package func findAgain() throws(PKCS11Error) {
        dropSessions()
        let found = try module.tokens().filter { $0.info.identity == identity }
        guard let first = found.first else {
            throw line.error(.tokenNotFound(uri: uri.string, failedModules: []))
        }
        guard found.count == 1 else { throw line.error(.ambiguous(found.map(\.info.identity))) }
        place.moved(to: first.slot)
        // A session that a call still holds keeps a login alive that would take any PIN for the user's.
        if try Session(livingKeeper(), closes: false).isLoggedIn() { try logout() }
        login.withLock { $0 = .loggedOut }
    }
}
