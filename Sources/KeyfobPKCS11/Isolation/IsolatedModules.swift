// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit
internal import Glibc
internal import Synchronization

/// The modules of this process that run in processes of their own, by p11-kit's remoting.
///
/// p11-kit starts the other end of a connection by itself for a module whose configuration says `remote: |command`, and
/// for no other (0.24.1). So it gets a configuration of ours, once, with a few such modules that differ by nothing but
/// their name: each is a connection that a keychain can take, and says at `C_Initialize` which module it is to load.
/// Nothing else is registered in such a process, so that no vendor's library is loaded into it.
@safe final class IsolatedModules: Sendable {
    /// The near end of a connection: p11-kit's wrapper.
    @safe struct Connection: @unchecked Sendable {
        // @unchecked: the function list belongs to p11-kit, which locks.
        let list: CK_FUNCTION_LIST_PTR
    }

    /// How many modules can be isolated at the same time.
    static let limit = 8

    static let shared = IsolatedModules()

    /// The connections that nobody uses; nil: p11-kit has no configuration of ours yet.
    private let free = Mutex<[Connection]?>(nil)

    private static let prefix = "keyfob-isolated-"

    /// Whether the configuration of p11-kit in this process is ours.
    var isActive: Bool { free.withLock { $0 != nil } }

    /// A connection that nobody uses.
    ///
    /// - Throws: `.isolationUnavailable`.
    func take() throws(PKCS11Error) -> Connection {
        try free.withLock { (free) throws(PKCS11Error) in
            // Once in the life of a process, and calls no module.
            if free == nil { free = try Self.connections() }
            guard let connection = free?.popLast() else {
                throw PKCS11Error(.isolationUnavailable("\(Self.limit) modules are isolated in this process already"))
            }
            return connection
        }
    }

    /// Takes back a connection that is finalised.
    func giveBack(_ connection: Connection) {
        free.withLock { $0?.append(connection) }
    }

    // MARK: - Configuration

    /// Has p11-kit load our configuration; the files are gone afterwards, it does not look again.
    private static func connections() throws(PKCS11Error) -> [Connection] {
        let host = try hostProgram()
        var name = Array("/tmp/keyfob-modules-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&name) != nil else { throw unavailable("mkdtemp", errno) }
        let folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let files = (0..<limit).map { "\(folder)/\(prefix)\($0).module" }
        defer {
            for file in files { unsafe unlink(file) }
            unsafe rmdir(folder)
        }
        for file in files { try write("remote: |\"\(host)\"\n", to: file) }
        // p11-kit keeps the pointers. Of the other places there is none.
        let places = unsafe ["", "/pkcs11.conf", "/none"].map { unsafe strdup(folder + $0) }
        unsafe p11_kit_override_system_files(places[1], places[1], places[0], places[2], places[2])
        var found: [Connection] = []
        unsafe Module.forEachRegistered { list in
            if let name = unsafe Module.owned(p11_kit_module_get_name(list)), name.hasPrefix(prefix) {
                unsafe found.append(Connection(list: list))
            } else {
                unsafe p11_kit_module_release(list)
            }
        }
        guard found.count == limit else {
            for connection in found { unsafe p11_kit_module_release(connection.list) }
            throw PKCS11Error(.isolationUnavailable("p11-kit has read its own configuration in this process already"))
        }
        return found
    }

    private static func write(_ text: String, to file: String) throws(PKCS11Error) {
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unavailable("open", errno) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw unavailable("write", errno)
        }
    }

    private static func unavailable(_ call: String, _ number: Int32) -> PKCS11Error {
        PKCS11Error(.isolationUnavailable("\(call): \(unsafe String(cString: strerror(number)))"))
    }

    /// The program `keyfob-module-host`: beside the running program, or where packages put such programs.
    private static func hostProgram() throws(PKCS11Error) -> String {
        let program = "keyfob-module-host"
        var places = ["/usr/libexec/keyfob", "/usr/bin"]
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
        if count > 0 {
            let path = buffer[..<count].map { UInt8(bitPattern: $0) }
            let end = path.lastIndex(of: UInt8(ascii: "/")) ?? 0
            places.insert(String(decoding: path[..<end], as: UTF8.self), at: 0)
        }
        // What p11-kit's reader of commands would take for something else.
        let usable = places.map { "\($0)/\(program)" }.filter {
            !$0.utf8.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
        }
        guard let found = usable.first(where: { unsafe access($0, X_OK) == 0 }) else {
            throw PKCS11Error(.isolationUnavailable("the program \(program) is not installed"))
        }
        return found
    }
}
