// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// NSS softokn, which has to be told its database when it is initialised.
@Suite struct NSSTests {
    @Test func `A token is found by its label in the database that the parameters name`() throws {
        let nss = try NSSToken()
        let token = try nss.open()
        #expect(token.identity.label == nss.label)
        #expect(token.identity.serial == "0000000000000000")
    }

    @Test func `Without parameters the module does not start`() throws {
        let nss = try NSSToken()
        let failed = failure { _ = try Module.load(path: nss.modulePath) }
        #expect(failed?.fault == .returned(function: "C_Initialize", .argumentsBad))
    }

    @Test func `A database that does not exist is an error that names the module`() throws {
        let nss = try NSSToken()
        let parameters = try NSSToken.checked(NSSToken.parameters(database: "/nonexistent", label: "none"))
        let failed = failure { _ = try Module.load(path: nss.modulePath, parameters: parameters) }
        guard case .moduleParametersRefused(let path, _) = failed?.fault else {
            Issue.record("\(String(describing: failed))")
            return
        }
        #expect(path == nss.modulePath)
    }

    @Test func `A wrong PIN is refused, and the right one then logs in`() throws {
        let nss = try NSSToken()
        let token = try nss.open()
        let failed = failure { try token.login(nss.wrongPIN()) }
        #expect(failed?.returnValue == .pinIncorrect)
        try token.login(nss.pin())
        #expect(token.isLoggedIn)
    }

    @Test func `A key made in the database seals and opens, in the next process too`() throws {
        let nss = try NSSToken()
        do {
            let token = try nss.open()
            try token.login(nss.pin())
            let session = try token.openSession(readWrite: true)
            let key = try session.generateKey(.aesKeyGeneration, .aesKey(token: true, label: "kept"))
            #expect(try session.open(session.seal([1, 2, 3], key: key), key: key) == [1, 2, 3])
        }
        // The module is finalised: what follows is started from the file.
        let token = try nss.open()
        try token.login(nss.pin())
        let session = try token.openSession(readWrite: false)
        let key = try #require(try session.findOne(.label("kept")))
        #expect(try session.open(session.seal([4], key: key), key: key) == [4])
    }

    @Test func `A new start ends the login and finds the database again`() throws {
        let nss = try NSSToken()
        let token = try nss.open()
        try token.login(nss.pin())
        #expect(try token.module.reinitialize())
        #expect(!token.isLoggedIn)
        try token.findAgain()
        try token.login(nss.pin())
        #expect(token.isLoggedIn)
    }

    @Test func `Two databases in one process are told apart or refused, never mixed up`() throws {
        let first = try NSSToken()
        let second = try NSSToken()
        let token = try first.open()
        let failed = failure {
            _ = try Module.load(path: first.modulePath, parameters: second.parameters)
        }
        #expect(failed?.fault == .moduleInUse(path: first.modulePath))
        #expect(try token.info().label == first.label)
        // Another file of the same library has its own.
        #expect(try second.open().identity.label == second.label)
    }

    @Test func `A PIN with a NUL never reaches a token that would cut it there`() throws {
        let nss = try NSSToken()
        let token = try nss.open()
        let failed = failure {
            try nss.pin().withBytes { pin in try token.login(SecretBytes(copying: pin.array + [0, 0x31])) }
        }
        #expect(failed?.fault == .pinNotTried(.zeroByte))
        #expect(!token.isLoggedIn)
    }

    @Test func `A module registered with p11-kit gets its parameters from there`() throws {
        let nss = try NSSToken()
        let modules = nss.folder + "/config/pkcs11/modules"
        try FileManager.default.createDirectory(atPath: modules, withIntermediateDirectories: true)
        try "module: \(nss.modulePath)\nx-init-reserved: \(nss.parametersText)\n".write(
            toFile: modules + "/keyfob-lab.module", atomically: false, encoding: .utf8)
        // p11-kit reads no user's configuration for root.
        let user = getuid() == 0 ? TestUser.shop : nil
        let program = nss.folder + "/program"
        try ProgramKeychain.copyProgram(to: program)
        if let user {
            let owning = try SpawnedProgram(path: "/bin/chown").run(["-R", "\(user.uid)", nss.folder])
            try #require(owning.status == 0)
        }
        let running = try LiveProgram(
            path: program, ["token", "pkcs11:token=\(nss.label)?module-name=keyfob-lab", nss.pinFile],
            environment: ["XDG_CONFIG_HOME": nss.folder + "/config", "HOME": nss.folder],
            launcher: user?.launcher ?? [])
        #expect(running.lines() == ["\(nss.label) opened"])
        #expect(running.wait() == 0, "\(running.errorText)")
    }
}
