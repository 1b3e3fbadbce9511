// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobPKCS11
import KeyfobTestSupport
import Synchronization
import Testing

/// What modules are initialised with, on a module that says what it got.
@Suite struct ModuleParameterTests {
    private func parameters(_ text: String) throws -> ModuleParameters { try NSSToken.checked(text) }

    @Test func `An empty text and one with a NUL are no parameters`() {
        #expect(ModuleParameters("") == nil)
        #expect(ModuleParameters("a\0b") == nil)
        #expect(ModuleParameters("a b='c'")?.text == "a b='c'")
    }

    @Test func `A module gets its parameters when it is loaded`() throws {
        let mock = try MockModule()
        let module = try Module.load(path: mock.path, parameters: parameters("mock:one"))
        #expect(mock.parameters == "mock:one")
        #expect(try module.info().manufacturer == "SoftHSM")
    }

    @Test func `A module gets them again when it is started anew`() throws {
        let mock = try MockModule()
        let module = try Module.load(path: mock.path, parameters: parameters("mock:one"))
        mock.script(.finalize)
        let calls = mock.calls(of: .initialize)
        #expect(try module.reinitialize())
        #expect(mock.calls(of: .initialize) == calls + 1)
        #expect(mock.parameters == "mock:one")
    }

    @Test func `Parameters that the module refuses are an error that names the module`() throws {
        let mock = try MockModule()
        let failed = failure { _ = try Module.load(path: mock.path, parameters: parameters("other:one")) }
        #expect(failed?.fault == .moduleParametersRefused(path: mock.path, .argumentsBad))
        #expect(try Module.load(path: mock.path, parameters: parameters("mock:two")).info().manufacturer == "SoftHSM")
    }

    @Test func `SoftHSM takes no parameters, and the error names it`() throws {
        let copy = try SoftHSMCopy()
        let failed = failure { _ = try Module.load(path: copy.path, parameters: parameters("any")) }
        #expect(failed?.fault == .moduleParametersRefused(path: copy.path, .argumentsBad))
    }

    @Test func `A module in use is not given to whoever wants other parameters`() throws {
        let mock = try MockModule()
        let first = try Module.load(path: mock.path, parameters: parameters("mock:one"))
        let failed = failure { _ = try Module.load(path: mock.path, parameters: parameters("mock:two")) }
        #expect(failed?.fault == .moduleInUse(path: mock.path))
        #expect(failure { _ = try Module.load(path: mock.path) }?.fault == .moduleInUse(path: mock.path))
        #expect(mock.parameters == "mock:one")
        #expect(try first.info().manufacturer == "SoftHSM")
    }

    @Test func `A module in use without parameters is not given to whoever wants some`() throws {
        let mock = try MockModule()
        let first = try Module.load(path: mock.path)
        let failed = failure { _ = try Module.load(path: mock.path, parameters: parameters("mock:one")) }
        #expect(failed?.fault == .moduleInUse(path: mock.path))
        #expect(try first.info().manufacturer == "SoftHSM")
    }

    @Test func `The same parameters are used together`() throws {
        let mock = try MockModule()
        let first = try Module.load(path: mock.path, parameters: parameters("mock:one"))
        let second = try Module.load(path: mock.path, parameters: parameters("mock:one"))
        #expect(try first.info() == second.info())
        #expect(mock.calls(of: .initialize) == 1)
    }

    @Test func `After its last use a module may be loaded with other parameters`() throws {
        let mock = try MockModule()
        do { _ = try Module.load(path: mock.path, parameters: parameters("mock:one")).info() }
        _ = try Module.load(path: mock.path, parameters: parameters("mock:two")).info()
        #expect(mock.parameters == "mock:two")
    }

    @Test func `Another path to the file is the same module`() throws {
        let mock = try MockModule()
        let link = mock.path + ".link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: mock.path)
        let first = try Module.load(path: mock.path, parameters: parameters("mock:one"))
        let failed = failure { _ = try Module.load(path: link, parameters: parameters("mock:two")) }
        #expect(failed?.fault == .moduleInUse(path: mock.path))
        #expect(try first.info().manufacturer == "SoftHSM")
    }

    @Test func `A module that others in the process have started is not taken for one with our parameters`() throws {
        let copy = try SoftHSMCopy()
        #expect(try copy.initialize() == 0)
        let failed = failure { _ = try Module.load(path: copy.path, parameters: parameters("any")) }
        #expect(failed?.fault == .moduleInUse(path: copy.path))
        #expect(try copy.finalize() == 0)
    }

    @Test func `Threads that load it at once with the same parameters all get it`() throws {
        let mock = try MockModule()
        let wanted = try parameters("mock:one")
        let modules = Mutex<[Module]>([])
        Threads.run(8) { _ in
            guard let module = try? Module.load(path: mock.path, parameters: wanted) else { return }
            modules.withLock { $0.append(module) }
        }
        #expect(modules.withLock(\.count) == 8)
        #expect(mock.calls(of: .initialize) == 1)
    }

    @Test func `Parameters without a module path are refused`() throws {
        let failed = failure {
            _ = try Token.find(TokenURI("pkcs11:token=a"), parameters: parameters("mock:one"))
        }
        #expect(failed?.fault == .invalidURI(.noModulePath))
    }
}
