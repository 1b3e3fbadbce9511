// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
package import KeyfobMemory
package import KeyfobPKCS11

/// The token that the contract is tested on: one of the process's kind, made from zero.
package struct TestToken: Sendable {
    package let kind: TokenKind
    /// The URI, as `tokens/KIND/make` prints it.
    package let uri: TokenURI
    private let loaded: LoadedModule
    private let place: Place
    private let pinText: [UInt8]
    private let soPINText: [UInt8]

    /// What there is to take away.
    private enum Place {
        /// The folder that `tokens/KIND/make` was given.
        case own(folder: String)
        /// The token's part of the folder of all SoftHSM tokens of the process, and where it is while it is pulled.
        case shared(folder: String, pulled: String)
    }

    /// The token of the process, made at the first use; without it the tests end.
    package static let shared: TestToken = {
        do {
            return TokenKind.isNamed ? try alone(TokenKind.current) : try amongOthers()
        } catch {
            fatalError("there is no token of the kind \(TokenKind.current): \(error)")
        }
    }()

    /// A token in the folder of `SoftHSM.shared`, through a copy of the library: started anew, it ends no session of
    /// other tests.
    private static func amongOthers() throws -> TestToken {
        let made = try TokenLoan.forGood { try SoftHSMToken.make() }
        let shared = SoftHSM.shared
        let copy = "\(shared.folder)/contract.so"
        try FileManager.default.copyItem(
            at: URL(fileURLWithPath: shared.modulePath).resolvingSymlinksInPath(), to: URL(fileURLWithPath: copy))
        let module = try Module.load(path: copy)
        let uri = try Token.find(made.uri, in: [module]).uri
        // SoftHSM's serial number is the end of the folder's name.
        let names = try FileManager.default.contentsOfDirectory(atPath: shared.folder + "/tokens")
        guard let serial = uri.serial, let name = names.first(where: { $0.filter { $0 != "-" }.hasSuffix(serial) })
        else { throw PKCS11Error(.malformed("the folder of the token is not there")) }
        return TestToken(
            kind: .softhsm, uri: uri, loaded: LoadedModule(uri, module),
            place: .shared(folder: "\(shared.folder)/tokens/\(name)", pulled: "\(shared.folder)/pulled"),
            pinText: try made.pin().withBytes { $0.array }, soPINText: try made.soPIN().withBytes { $0.array })
    }

    private static func alone(_ kind: TokenKind) throws -> TestToken {
        // As in any program that embeds the engine: p11-kit's client writes to a server that has ended.
        signal(SIGPIPE, SIG_DFL)
        let folder = LentToken.take(kind)
        guard let text = unsafe getenv("KEYFOB_TOKEN_URI") else { fatalError("there is no KEYFOB_TOKEN_URI") }
        let uri = try TokenURI(unsafe String(cString: text))
        let loaded = LoadedModule(uri, try LoadedModule.load(uri))
        let secrets = kind == .remote ? folder + "/softhsm" : folder
        let pin = try Data(contentsOf: URL(fileURLWithPath: secrets + "/pin"))
        // Not every kind has one.
        let soPIN = (try? Data(contentsOf: URL(fileURLWithPath: secrets + "/so-pin"))) ?? Data()
        return TestToken(
            kind: kind, uri: uri, loaded: loaded, place: .own(folder: folder), pinText: Self.digits(pin),
            soPINText: Self.digits(soPIN))
    }

    /// The module, loaded by the first who asks.
    package var module: Module { loaded.module }

    /// Ends the process's own use of the module until somebody asks for it again: as long as there is one, a keychain in the
    /// process cannot start the module anew.
    package func letModuleGo() { loaded.letGo() }

    /// `certutil` and we read a PIN up to the end of the line.
    private static func digits(_ data: Data) -> [UInt8] { data.filter { (0x30...0x39).contains($0) } }

    /// The user PIN.
    package func pin() throws -> SecretBytes { try SecretBytes(copying: pinText) }

    /// The SO PIN; empty where there is none.
    package func soPIN() throws -> SecretBytes { try SecretBytes(copying: soPINText) }

    /// A PIN of the right length that is not the user's.
    package func wrongPIN() throws -> SecretBytes { try SecretBytes(copying: pinText.map { $0 ^ 1 }) }

    /// Opens the token, logged out, with its own sessions and counter.
    package func open() throws -> Token {
        try Token.find(uri, in: [module])
    }

    /// Makes another token in a blank slot of the module, with the SO PIN of this one and without a user PIN.
    ///
    /// - Throws: `CKR_FUNCTION_NOT_SUPPORTED` where the module has no blank slot; what `C_InitToken` returned.
    package func makeToken(label: String) throws {
        let make = { (slot: SlotID?) throws in
            guard let slot else { throw PKCS11Error(function: "C_InitToken", returnValue: .functionNotSupported) }
            _ = try module.initializeToken(in: slot, label: label, soPIN: try soPIN())
        }
        switch place {
        case .own: try make(try module.emptySlots().first)
        // In turn with the other tests.
        case .shared: try SoftHSM.shared.withEmptySlot { _ in try make(try module.emptySlots().first) }
        }
    }

    // MARK: - Removal

    /// Takes the token away: its storage, its device, its card or its server.
    package func pull() throws {
        switch place {
        case .own(let folder): try run("pull", folder)
        case .shared(let folder, let pulled): try FileManager.default.moveItem(atPath: folder, toPath: pulled)
        }
    }

    /// Brings back what `pull` took away.
    package func insert() throws {
        switch place {
        case .own(let folder): try run("insert", folder)
        case .shared(let folder, let pulled): try FileManager.default.moveItem(atPath: pulled, toPath: folder)
        }
    }

    private func run(_ verb: String, _ folder: String) throws {
        let outcome = try SpawnedProgram(
            path: "\(LentToken.scripts)/\(kind.rawValue)/\(verb)", environment: ProcessInfo.processInfo.environment
        ).run([folder])
        guard outcome.status == 0 else {
            throw SpawnedProgram.Failure(call: "tokens/\(kind)/\(verb): \(outcome.errorText)", errno: 0)
        }
    }
}
