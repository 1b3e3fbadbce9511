// SPDX-License-Identifier: Apache-2.0
internal import KeyfobPKCS11
internal import Synchronization

/// The module of the token under test; loaded again after it was let go of.
final class LoadedModule: Sendable {
    private let uri: TokenURI
    private let held: Mutex<Module?>

    init(_ uri: TokenURI, _ module: Module) {
        self.uri = uri
        held = Mutex(module)
    }

    var module: Module {
        held.withLock { held in
            if let held { return held }
            do {
                let module = try Self.load(uri)
                held = module
                return module
            } catch {
                fatalError("the module of \(uri.string) does not load: \(error)")
            }
        }
    }

    func letGo() {
        let last = held.withLock { $0.take() }
        withExtendedLifetime(last) {}
    }

    /// The module that the URI names.
    static func load(_ uri: TokenURI) throws -> Module {
        if let name = uri.moduleName { return try Module.load(name: name) }
        guard let path = uri.modulePath else { fatalError("\(uri.string) names no module") }
        return try Module.load(path: path)
    }
}
