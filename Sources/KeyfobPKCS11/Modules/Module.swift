// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit
internal import Glibc
internal import Synchronization

/// A loaded and initialised PKCS #11 module, managed by p11-kit.
///
/// p11-kit counts the users of a module within the process: loading one twice works, so does loading one that
/// another library initialised already, and ours is finalised only when we were the one who initialised it. The last
/// reference that goes finalises; tokens and sessions hold one.
///
/// Members block for the time of their Cryptoki calls and may be called from any thread.
@safe package final class Module: @unchecked Sendable {
    // @unchecked: the function list belongs to p11-kit, which locks; the rest is constant.
    private let list: CK_FUNCTION_LIST_PTR
    /// The file that was loaded, here or in a process of its own, if that is known.
    package let path: String?
    /// The name of the module in p11-kit's configuration, if it stands there.
    package let name: String?
    /// The calls made on the module itself; those on its tokens are counted by each `Token`.
    package let calls: CallCounter
    let line: Line
    private let use: ModuleUse
    /// What runs in a process of its own; nil: the module runs in this one.
    private let hosted: HostedModule?

    /// Whether it runs in a process of its own.
    package var isIsolated: Bool { hosted != nil }

    /// Takes over one reference to a managed module and initialises it.
    private convenience init(
        owning list: CK_FUNCTION_LIST_PTR, interposer: (any CallInterposer)?, parameters: ModuleParameters? = nil
    ) throws(PKCS11Error) {
        let line = unsafe Line(
            list: list, interposer: interposer, calls: CallCounter(), isRemote: Self.isRemote(list))
        // Before there is a module: what is thrown after its last member is set would run `deinit`, which ends the
        // module and lets go of it a second time.
        let use: ModuleUse
        do throws(PKCS11Error) {
            use = unsafe try Self.start(list, line, parameters)
        } catch {
            unsafe p11_kit_module_release(list)
            throw error
        }
        unsafe self.init(initialized: list, line, use)
    }

    /// Takes over a connection and initialises the module in a process of its own.
    private convenience init(
        isolating hosted: HostedModule, _ connection: IsolatedModules.Connection
    ) throws(PKCS11Error) {
        let list = unsafe connection.list
        let line = unsafe Line(list: list, interposer: nil, calls: CallCounter(), isRemote: true)
        let use: ModuleUse
        do throws(PKCS11Error) {
            // What goes to the other process is the whole text; parameters of the module are a part of it.
            use = try ModuleUse(of: nil, parameters: ModuleParameters(hosted.text))
            let value = unsafe line.call(.initialize) { _ in unsafe use.initialize(list) }
            guard value == .ok else { throw Self.error(value, line, use, hosted) }
        } catch {
            IsolatedModules.shared.giveBack(connection)
            throw error
        }
        unsafe self.init(initialized: list, line, use, hosted)
    }

    private init(
        initialized list: CK_FUNCTION_LIST_PTR, _ line: Line, _ use: ModuleUse, _ hosted: HostedModule? = nil
    ) {
        unsafe self.list = list
        self.use = use
        self.hosted = hosted
        switch hosted?.source {
        case .path(let path):
            self.path = path
            name = nil
        case .name(let name):
            path = nil
            self.name = name
        case nil:
            path = unsafe Self.owned(p11_kit_module_get_filename(list))
            name = unsafe Self.owned(p11_kit_module_get_name(list))
        }
        calls = line.calls
        self.line = line
    }

    deinit {
        // Nobody is left to tell about a module that does not end well.
        _ = unsafe line.call(.finalize) { _ in unsafe p11_kit_module_finalize(list) }
        guard hosted == nil else { return unsafe IsolatedModules.shared.giveBack(.init(list: list)) }
        unsafe p11_kit_module_release(list)
    }

    /// Loads the module at `path` (absolute, or relative to p11-kit's module folder) and nothing else.
    ///
    /// - Parameter parameters: what the module is initialised with, each time.
    /// - Throws: `.moduleNotLoadable`; `.moduleInUse` if it is in use in this process with other parameters;
    ///   `.moduleParametersRefused`, or without parameters what `C_Initialize` returned.
    package static func load(
        path: String, parameters: ModuleParameters? = nil, interposer: (any CallInterposer)? = nil
    ) throws(PKCS11Error) -> Module {
        guard let list = unsafe p11_kit_module_load(path, 0) else {
            throw PKCS11Error(.moduleNotLoadable(path: path, message: lastMessage()))
        }
        return unsafe try Module(owning: list, interposer: interposer, parameters: parameters)
    }

    /// The module that p11-kit's configuration calls `name`.
    ///
    /// p11-kit opens every registered library to find it, but only this one is initialised, with what `x-init-reserved`
    /// of its configuration says.
    ///
    /// - Throws: `.moduleNotRegistered`; `.moduleInUse` if it is in use in this process with other parameters; or what
    ///   `C_Initialize` returned.
    package static func load(name: String) throws(PKCS11Error) -> Module {
        try refuseBesideIsolated()
        guard let list = unsafe registered(name) else { throw PKCS11Error(.moduleNotRegistered(name: name)) }
        return unsafe try Module(owning: list, interposer: nil)
    }

    /// Starts a process for the module of `module-path`, else of `module-name`, and loads it there.
    ///
    /// If that process ends, calls return `CKR_DEVICE_ERROR` until `reinitialize`, which starts another. There is no
    /// p11-kit configuration in this process any more then: other modules can be loaded by path, or isolated.
    ///
    /// - Throws: `.isolationUnavailable`; `.moduleNotLoadable`; `.isolatedModuleFailed` with what `C_Initialize` returned;
    ///   `.invalidURI` if the URI names no module.
    package static func isolate(_ uri: TokenURI, parameters: ModuleParameters? = nil) throws(PKCS11Error) -> Module {
        let source: HostedModule.Source
        if let path = uri.modulePath {
            source = .path(path)
        } else if let name = uri.moduleName, parameters == nil {
            source = .name(name)
        } else {
            throw PKCS11Error(.invalidURI(.noModulePath))
        }
        guard let hosted = HostedModule(source, parameters: parameters) else {
            throw PKCS11Error(.invalidURI(.notText))
        }
        return try Module(isolating: hosted, IsolatedModules.shared.take())
    }

    /// The wrapper of a registered module, to be released; nil: there is none of that name.
    static func registered(_ name: String) -> CK_FUNCTION_LIST_PTR? {
        var found: CK_FUNCTION_LIST_PTR?
        unsafe forEachRegistered { list in
            if unsafe found == nil, unsafe Self.owned(p11_kit_module_get_name(list)) == name {
                unsafe found = list
            } else {
                unsafe p11_kit_module_release(list)
            }
        }
        return unsafe found
    }

    private static func refuseBesideIsolated() throws(PKCS11Error) {
        guard IsolatedModules.shared.isActive else { return }
        throw PKCS11Error(.isolationUnavailable("a module without module-path cannot be used beside an isolated one"))
    }

    /// Every module of p11-kit's configuration that can be initialised, in its order, and the names of the others.
    ///
    /// - Throws: `.isolationUnavailable` if this process isolates a module.
    package static func registered() throws(PKCS11Error) -> (modules: [Module], failed: [String]) {
        try refuseBesideIsolated()
        var modules: [Module] = []
        var failed: [String] = []
        unsafe forEachRegistered { list in
            let name = unsafe Self.owned(p11_kit_module_get_name(list))
            do throws(PKCS11Error) {
                modules.append(unsafe try Module(owning: list, interposer: nil))
            } catch {
                // One broken driver must not hide the tokens of the others; its name is told.
                failed.append(name ?? "unnamed")
            }
        }
        return (modules, failed)
    }

    /// Finalises and initialises the module again, which ends every session and login of the process on it.
    ///
    /// It gets the parameters that it was loaded with. For devices that came back, and for modules that do not forget a
    /// login. Waits for the calls that run (a call begun meanwhile fails with `CKR_CRYPTOKI_NOT_INITIALIZED`), and does
    /// nothing if one of them hangs. If others in the process use the module through p11-kit too it stays initialised.
    ///
    /// - Parameters:
    ///   - patience: how long to wait for the calls that run.
    ///   - interval: done while the module is finalised and holds no device; not if it stays initialised.
    /// - Returns: whether the module was started anew.
    /// - Throws: what `C_Initialize` returned; the module is of no use then, until another call of this succeeds.
    package func reinitialize(
        patience: Duration = .seconds(2), interval: () -> Void = {}
    ) throws(PKCS11Error) -> Bool {
        guard line.gate.shut(patience: patience) else { return false }
        _ = unsafe line.callInside(.finalize) { _ in unsafe p11_kit_module_finalize(list) }
        let isGone = !Self.isServed(line)
        if isGone { interval() }
        let start = unsafe line.callInside(.initialize) { _ in unsafe use.initialize(list) }
        guard start == .ok else {
            line.gate.open(restarted: isGone)
            throw Self.error(start, line, use, hosted)
        }
        // Asked now, not before: a start that failed had left it finalised, and this one then is new all the same.
        let isBack = Self.isServed(line)
        line.gate.open(restarted: isGone)
        return isGone && isBack
    }

    // MARK: - Starting

    /// Held while a module is started with parameters, so across `C_Initialize`; guards no data of ours.
    ///
    /// Without it a module that another thread starts, with the same parameters, would look like one that others in the
    /// process have started.
    private static let starts = Mutex(())

    private static func start(
        _ list: CK_FUNCTION_LIST_PTR, _ line: Line, _ parameters: ModuleParameters?
    ) throws(PKCS11Error) -> ModuleUse {
        let file = unsafe owned(p11_kit_module_get_filename(list))
        guard let parameters else {
            let configured = unsafe owned(p11_kit_config_option(list, "x-init-reserved"))
            let use = try ModuleUse(of: file, configured: configured)
            try unsafe line.check(.initialize) { _ in unsafe use.initialize(list) }
            return use
        }
        return try starts.withLock { (_) throws(PKCS11Error) in
            let use = try ModuleUse(of: file, parameters: parameters)
            // Whoever started it knows nothing of our parameters, and p11-kit would not say that it dropped them.
            guard !use.isFirst || !isServed(line) else { throw PKCS11Error(.moduleInUse(path: use.name)) }
            let value = unsafe line.call(.initialize) { _ in unsafe use.initialize(list) }
            guard value == .ok else { throw error(value, line, use) }
            return use
        }
    }

    /// The error for a `C_Initialize` that returned `value`.
    private static func error(
        _ value: ReturnValue, _ line: Line, _ use: ModuleUse, _ hosted: HostedModule? = nil
    ) -> PKCS11Error {
        if let hosted {
            guard value.rawValue != ModuleHost.notLoadable else {
                return line.error(
                    .moduleNotLoadable(path: hosted.label, message: "cannot be loaded in a process of its own"))
            }
            return line.error(.isolatedModuleFailed(path: hosted.label, value))
        }
        guard use.hasParameters else { return line.error(.initialize, value) }
        return line.error(.moduleParametersRefused(path: use.name, value))
    }

    /// Whether the module is initialised, by whomever.
    ///
    /// Two questions, for NSS answers the first one always; the slot of the second does not exist.
    private static func isServed(_ line: Line) -> Bool {
        var info = CK_INFO()
        guard unsafe line.callInside(.getInfo, { unsafe $0.pointee.C_GetInfo?(&info) }) == .ok else { return false }
        var token = CK_TOKEN_INFO()
        let answer = unsafe line.callInside(.getTokenInfo) { unsafe $0.pointee.C_GetTokenInfo?(.max, &token) }
        return answer != .cryptokiNotInitialized
    }

    // MARK: - p11-kit

    /// Whether the module is p11-kit's own, and writes to another process: its client, its proxy, or a registered one with
    /// `remote:` in its configuration.
    private static func isRemote(_ list: CK_FUNCTION_LIST_PTR) -> Bool {
        if unsafe owned(p11_kit_config_option(list, "remote")) != nil { return true }
        let file = unsafe owned(p11_kit_module_get_filename(list)) ?? ""
        return file.split(separator: "/").last?.hasPrefix("p11-kit-") ?? false
    }

    static func forEachRegistered(_ body: (CK_FUNCTION_LIST_PTR) -> Void) {
        guard let modules = unsafe p11_kit_modules_load(nil, 0) else { return }
        var next = unsafe modules
        while let list = unsafe next.pointee {
            unsafe body(list)
            unsafe next += 1
        }
        // The modules went to `body` one by one; only the array is left.
        unsafe free(modules)
    }

    static func lastMessage() -> String {
        guard let message = unsafe p11_kit_message() else { return "cannot be loaded" }
        return unsafe String(cString: message)
    }

    static func owned(_ string: UnsafeMutablePointer<CChar>?) -> String? {
        guard let string = unsafe string else { return nil }
        defer { unsafe free(string) }
        return unsafe String(cString: string)
    }
}
