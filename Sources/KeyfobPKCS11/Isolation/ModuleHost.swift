// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit
internal import Glibc

/// The process in which an isolated module runs: serves p11-kit's protocol and calls the module.
///
/// Which module it is comes with the first call, `C_Initialize` (`HostedModule`). So the command that p11-kit runs is the
/// same for all, and no path or parameter stands among the arguments of a process.
package enum ModuleHost {
    /// What `C_Initialize` returns if the module cannot be loaded; why stands on standard error.
    static let notLoadable: UInt = 0x8000_4B01

    /// Serves the module until the other end closes.
    ///
    /// - Returns: the exit status of the process.
    package static func serve(input: Int32, output: Int32) -> Int32 {
        unsafe served.initialize(to: CK_FUNCTION_LIST())
        unsafe served.pointee.version = CK_VERSION(major: 2, minor: 40)
        // p11-kit calls nothing else before this: its other end answers for a module that is not initialised.
        unsafe served.pointee.C_Initialize = { unsafe ModuleHost.initialize($0) }
        return unsafe p11_kit_remote_serve_module(served, input, output) == 0 ? 0 : 1
    }

    /// The functions that p11-kit calls: those of the module, once there is one.
    ///
    /// One thread serves, so nobody else looks at it.
    nonisolated(unsafe) private static let served = UnsafeMutablePointer<CK_FUNCTION_LIST>.allocate(capacity: 1)

    /// `C_Initialize`: loads the module that the arguments name and puts its functions into the list.
    private static func initialize(_ arguments: UnsafeMutableRawPointer?) -> CK_RV {
        let reserved = unsafe arguments?.assumingMemoryBound(to: CK_C_INITIALIZE_ARGS.self).pointee.pReserved
        guard let reserved = unsafe reserved,
            let module = unsafe HostedModule(String(cString: reserved.assumingMemoryBound(to: CChar.self)))
        else { return ReturnValue.argumentsBad.rawValue }
        guard let list = unsafe load(module.source) else { return notLoadable }
        do throws(PKCS11Error) {
            let use = try ModuleUse(of: nil, parameters: module.parameters)
            let value = unsafe use.initialize(list) ?? ReturnValue.functionNotSupported.rawValue
            guard value == ReturnValue.ok.rawValue else {
                unsafe p11_kit_module_release(list)
                return value
            }
            // Kept as long as the process: the module may look at its parameters at any time.
            _ = unsafe Unmanaged.passRetained(use)
        } catch {
            return ReturnValue.generalError.rawValue
        }
        unsafe served.update(from: list, count: 1)
        return ReturnValue.ok.rawValue
    }

    private static func load(_ source: HostedModule.Source) -> CK_FUNCTION_LIST_PTR? {
        switch source {
        case .path(let path):
            guard let list = unsafe p11_kit_module_load(path, 0) else {
                tell(Module.lastMessage())
                return nil
            }
            return unsafe list
        case .name(let name):
            guard let list = unsafe Module.registered(name) else {
                tell("\(name) is not registered with p11-kit")
                return nil
            }
            return unsafe list
        }
    }

    private static func tell(_ what: String) {
        let line = Array("keyfob-module-host: error: \(what)\n".utf8)
        // Nobody is left to tell of a standard error that takes nothing.
        _ = unsafe write(STDERR_FILENO, line, line.count)
    }
}
