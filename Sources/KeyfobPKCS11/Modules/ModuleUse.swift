// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit
internal import Glibc
internal import Synchronization

/// One use of a module's file in this process, with the parameters that all its uses share.
///
/// p11-kit initialises a file once and only counts whoever comes after. Parameters of theirs would be dropped without a
/// word, and the second keychain would find the first one's database: so whoever brings others is refused.
@safe final class ModuleUse: @unchecked Sendable {
    // @unchecked: the text is written once, here.
    private struct Shared {
        let parameters: String?
        var users: Int
    }

    private static let shared = Mutex<[String: Shared]>([:])

    /// The file, as p11-kit names it: the same for each path that leads to it.
    ///
    /// Nil: p11-kit does not say.
    private let file: String?
    /// The parameters, for as long as the module may look at them; nil: those of p11-kit's configuration, or none.
    private let text: UnsafeMutablePointer<CChar>?
    private let isCounted: Bool
    /// Whether nobody in this process used the file before, as far as this type knows.
    let isFirst: Bool

    /// Begins a use; it ends with the last reference.
    ///
    /// - Parameters:
    ///   - configured: what p11-kit's configuration has the module initialised with if `parameters` is nil.
    /// - Throws: `.moduleInUse` if the file is in use with other parameters.
    init(of file: String?, parameters: ModuleParameters? = nil, configured: String? = nil) throws(PKCS11Error) {
        self.file = file
        let wanted = parameters?.text ?? configured
        var users = 1
        if let file {
            users = Self.shared.withLock { shared in
                guard let now = shared[file] else {
                    shared[file] = Shared(parameters: wanted, users: 1)
                    return 1
                }
                guard now.parameters == wanted else { return 0 }
                shared[file] = Shared(parameters: wanted, users: now.users + 1)
                return now.users + 1
            }
        }
        isFirst = users == 1
        unsafe text = parameters.map { unsafe strdup($0.text) } ?? nil
        guard users > 0 else {
            isCounted = false
            throw PKCS11Error(.moduleInUse(path: file ?? "module"))
        }
        isCounted = file != nil
    }

    deinit {
        unsafe free(text)
        guard isCounted, let file else { return }
        Self.shared.withLock { shared in
            guard let now = shared[file] else { return }
            shared[file] = now.users > 1 ? Shared(parameters: now.parameters, users: now.users - 1) : nil
        }
    }

    /// The file, for messages.
    var name: String { file ?? "module" }

    /// Whether the module is started with parameters of ours.
    var hasParameters: Bool { unsafe text != nil }

    /// Has p11-kit call `C_Initialize`, with our parameters if there are any.
    ///
    /// `p11_kit_module_initialize` is `C_Initialize(NULL)` of p11-kit's wrapper, which then uses what its configuration
    /// says. Called with arguments the wrapper counts just the same and passes them on to the module. NSS reads a struct
    /// that is one word longer than the standard's and wants that word to be NULL, so a second, empty one follows.
    func initialize(_ list: CK_FUNCTION_LIST_PTR) -> CK_RV? {
        guard let text = unsafe text else { return unsafe p11_kit_module_initialize(list) }
        var arguments = unsafe [CK_C_INITIALIZE_ARGS(), CK_C_INITIALIZE_ARGS()]
        unsafe arguments[0].flags = CK_FLAGS(CKF_OS_LOCKING_OK)
        unsafe arguments[0].pReserved = UnsafeMutableRawPointer(text)
        return unsafe list.pointee.C_Initialize?(&arguments)
    }
}
