// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// What a change of the token's PIN, and a new one by the security officer, do to the items.
@Suite(.lendsTokens) struct PasscodeTests {
    private let keychain: TestKeychain
    private let newPIN = Array("987654".utf8)

    init() throws {
        keychain = try TestKeychain()
    }

    private var service: any KeychainService { keychain.service() }

    /// One item of each class, and another one of the passcode class.
    private func filled() throws {
        try keychain.unlocked()
        for accessible in Accessibility.allCases {
            try service.add(accessible.code, value: Array(accessible.code.utf8), accessible: accessible)
        }
        try service.add("second", accessible: .whenPasscodeSetThisDeviceOnly)
    }

    private func unblock(destroying items: Int) throws {
        try keychain.engine.unblock(
            SecretBytes(copying: newPIN), securityOfficerPIN: keychain.token.soPIN(), destroying: items)
    }

    private func unlockAnew() throws { try keychain.engine.unlock(SecretBytes(copying: newPIN)) }

    private func value(_ accessible: Accessibility) throws -> [UInt8]? { try service.value(accessible.code) }

    // MARK: - Changing

    @Test func `Every item is there after a change of the PIN`() throws {
        try filled()
        try keychain.engine.changePIN(from: keychain.token.pin(), to: SecretBytes(copying: newPIN))
        #expect(keychain.engine.lockState == .unlocked)
        for accessible in Accessibility.allCases { #expect(try value(accessible) == Array(accessible.code.utf8)) }
        try keychain.reopen()
        try unlockAnew()
        for accessible in Accessibility.allCases { #expect(try value(accessible) == Array(accessible.code.utf8)) }
    }

    @Test func `A closed keychain changes no PIN`() throws {
        keychain.engine.close()
        let change = { try keychain.engine.changePIN(from: keychain.token.pin(), to: SecretBytes(copying: newPIN)) }
        #expect(code { try change() } == .notAvailable)
        #expect(code { try unblock(destroying: 0) } == .notAvailable)
        try keychain.token.open().login(keychain.token.pin())
    }

    // MARK: - Unblocking

    @Test func `Unblocking destroys the items of the passcode class and no other`() throws {
        try filled()
        try unblock(destroying: 2)
        #expect(keychain.engine.lockState == .locked)
        try unlockAnew()
        for accessible in Accessibility.allCases where accessible != .whenPasscodeSetThisDeviceOnly {
            #expect(try value(accessible) == Array(accessible.code.utf8))
        }
        #expect(code { _ = try value(.whenPasscodeSetThisDeviceOnly) } == .itemNotFound)
        #expect(code { _ = try service.value("second") } == .itemNotFound)
        #expect(try keychain.engine.verify().findings.isEmpty)
        #expect(try keychain.engine.status().items == Accessibility.allCases.count - 1)
    }

    @Test func `The passcode class works again at once, under a key of the next generation`() throws {
        try filled()
        try unblock(destroying: 2)
        try unlockAnew()
        try service.add("akpu", value: [7], accessible: .whenPasscodeSetThisDeviceOnly)
        #expect(try value(.whenPasscodeSetThisDeviceOnly) == [7])
        let keys = try keychain.engine.status().keys.filter { $0.id.accessibility == .whenPasscodeSetThisDeviceOnly }
        #expect(keys.map(\.id.generation) == [2])
        try keychain.reopen()
        try unlockAnew()
        #expect(try value(.whenPasscodeSetThisDeviceOnly) == [7])
    }

    @Test func `Unblocking before the first unlock needs no user PIN`() throws {
        try filled()
        try keychain.reopen()
        try unblock(destroying: 2)
        #expect(keychain.engine.lockState == .locked)
        #expect(try value(.afterFirstUnlock) == Array("ck".utf8))
        #expect(code { _ = try value(.whenUnlocked) } == .interactionNotAllowed)
    }

    @Test func `Unblocking twice counts the generations`() throws {
        try unblock(destroying: 0)
        try unblock(destroying: 0)
        try unlockAnew()
        let keys = try keychain.engine.status().keys.filter { $0.id.accessibility == .whenPasscodeSetThisDeviceOnly }
        #expect(keys.map(\.id.generation) == [3])
    }

    @Test(arguments: [0, 1, 3]) func `With another number of items nothing is tried`(items: Int) throws {
        try filled()
        let before = keychain.engine.tokenCalls["C_Login"]
        #expect(code { try unblock(destroying: items) } == .invalidParameter)
        #expect(keychain.engine.tokenCalls["C_Login"] == before)
        #expect(try value(.whenPasscodeSetThisDeviceOnly) == Array("akpu".utf8))
        #expect(keychain.engine.lockState == .unlocked)
    }

    @Test func `A wrong PIN of the security officer loses no item and leaves the PIN`() throws {
        try filled()
        let unblock = {
            try keychain.engine.unblock(
                SecretBytes(copying: newPIN), securityOfficerPIN: keychain.token.pin(), destroying: 2)
        }
        #expect(code { try unblock() } == .soPINIncorrect)
        #expect(keychain.engine.lockState == .locked)
        #expect(try value(.afterFirstUnlock) == Array("ck".utf8))
        try keychain.unlocked()
        for accessible in Accessibility.allCases { #expect(try value(accessible) == Array(accessible.code.utf8)) }
    }

    @Test func `An unblocking that fails has locked the keychain, and status and audit log say by what`() throws {
        try keychain.reopen(audit: AuditPlan(standard: .on))
        try keychain.unlocked()
        let unblock = {
            try keychain.engine.unblock(
                SecretBytes(copying: newPIN), securityOfficerPIN: keychain.token.pin(), destroying: 0)
        }
        #expect(code { try unblock() } == .soPINIncorrect)
        #expect(try keychain.engine.status().lastLock?.reason == .tokenUnblock)
        // The second one finds it locked.
        #expect(code { try unblock() } == .soPINIncorrect)
        let events = try keychain.engine.audit(AuditQuery()).map(\.event)
        let told = events.filter { $0.action == .lock || $0.action == .unblock }
        #expect(told.map(\.action) == [.lock, .unblock, .unblock])
        #expect(told.map(\.result) == [nil, .soPINIncorrect, .soPINIncorrect])
        #expect(told.map(\.lockReason) == [.tokenUnblock, nil, nil])
    }

    @Test func `A good unblocking of an unlocked keychain has a line for its lock, and gives it as the reason`() throws
    {
        try keychain.reopen(audit: AuditPlan(standard: .on))
        try keychain.unlocked()
        try unblock(destroying: 0)
        #expect(try keychain.engine.status().lastLock?.reason == .tokenUnblock)
        let events = try keychain.engine.audit(AuditQuery()).map(\.event)
        #expect(events.filter { $0.action == .lock }.map(\.lockReason) == [.tokenUnblock])
    }

    @Test func `A new PIN of the wrong length loses no item`() throws {
        try filled()
        let unblock = {
            try keychain.engine.unblock(
                SecretBytes(copying: [1]), securityOfficerPIN: keychain.token.soPIN(), destroying: 2)
        }
        #expect(code { try unblock() } == .pinLength)
        #expect(try value(.whenPasscodeSetThisDeviceOnly) == Array("akpu".utf8))
    }

    @Test func `Requests meanwhile get an answer and never hang`() throws {
        try filled()
        let done = Shared(false)
        let (engine, readers) = (keychain.engine, 3)
        let reading = (0..<readers).map { number in
            let service = keychain.service()
            let name = Accessibility.allCases[number].code
            return Background { () -> Set<KeychainError.Code> in
                var codes: Set<KeychainError.Code> = []
                repeat {
                    do throws(KeychainError) {
                        let query = ItemQuery(
                            itemClass: .genericPassword, attributes: [.service: .text(WipedBytes(utf8: name))])
                        _ = try service.copyMatching(MatchRequest(query, returns: .data))
                    } catch {
                        codes.insert(error.code)
                    }
                } while !done.now
                return codes
            }
        }
        try unblock(destroying: 2)
        done.change { $0 = true }
        for reader in reading {
            let codes = try reader.value()
            #expect(codes.isSubset(of: [KeychainError.Code.notAvailable, .interactionNotAllowed]))
        }
        #expect(engine.lockState == .locked)
    }

    // MARK: - Without a PIN

    @Test func `Without a user PIN the items of the passcode class are gone and none can be added`() throws {
        let mock = try MockToken()
        let token = mock.token
        let keychain = try TestKeychain(token: token, uri: mock.uri.string)
        try keychain.unlocked()
        try keychain.service().add("pass", accessible: .whenPasscodeSetThisDeviceOnly)
        try keychain.engine.lock()
        #expect(code { _ = try keychain.service().value("pass") } == .interactionNotAllowed)
        mock.script(.flags(set: [], clear: .userPINInitialized))
        let service = keychain.service()
        #expect(code { _ = try service.value("pass") } == .itemNotFound)
        #expect(code { try service.add("more", accessible: .whenPasscodeSetThisDeviceOnly) } == .notAvailable)
        let query = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("pass")])
        #expect(code { try service.update(UpdateRequest(query, value: SecretBytes(copying: [1]))) } == .itemNotFound)
        #expect(code { try keychain.unlocked() } == .pinNotSet)
        #expect(try keychain.engine.status().lacksUserPIN)
        mock.script(.remove())
        #expect(try !keychain.engine.status().lacksUserPIN)
    }

    @Test func `With a keypad a keychain is made, its PIN changed and its token unblocked on the device`() throws {
        let mock = try MockToken()
        try mock.enterPINOnDevice(newPIN: "987654")
        let folder = FileManager.default.temporaryDirectory.path + "/keyfob-test-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try KeychainEngine.tokenWithPINPad(mock.uri.string)?.serial == token(mock))
        let engine = try KeychainEngine.create(
            try KeychainHome.resolve(explicit: folder), KeychainPlan(token: mock.uri.string), pin: nil)
        defer { engine.close() }
        try engine.unlockOnDevice()
        try engine.changePINOnDevice()
        let service = engine.service(with: Entitlements(applicationIdentifier: "test", keychainAccessGroups: []))
        try service.add("gone", accessible: .whenPasscodeSetThisDeviceOnly)
        try service.add("kept", value: [7])
        mock.script(.deviceNewPIN("456789"))
        #expect(code { try engine.unblockOnDevice(destroying: 0) } == .invalidParameter)
        try engine.unblockOnDevice(destroying: 1)
        #expect(engine.lockState == .locked)
        try engine.unlock(SecretBytes(copying: Array("456789".utf8)))
        #expect(code { _ = try service.value("gone") } == .itemNotFound)
        #expect(try service.value("kept") == [7])
        // The class works again: the unblocking has logged in with the new PIN and made its next key.
        let keys = try engine.status().keys.filter { $0.id.accessibility == .whenPasscodeSetThisDeviceOnly }
        #expect(keys.map(\.id.generation) == [2])
    }

    @Test func `A token without a keypad, and a software token, take no PIN from a device`() throws {
        let token = try SoftHSMToken.make()
        #expect(try KeychainEngine.tokenWithPINPad(token.uri.string) == nil)
        let folder = FileManager.default.temporaryDirectory.path + "/keyfob-test-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let home = try KeychainHome.resolve(explicit: folder)
        #expect(code { _ = try KeychainEngine.create(home, KeychainPlan(), pin: nil) } == .pinNotGiven)
    }

    private func token(_ mock: MockToken) throws -> String { try mock.token.open().identity.serial }

    @Test func `A PIN that is to be changed is not sent, and can be changed`() throws {
        let mock = try MockToken()
        let token = mock.token
        let keychain = try TestKeychain(token: token, uri: mock.uri.string)
        mock.script(.flags(set: .userPINToBeChanged))
        let before = keychain.engine.tokenCalls["C_Login"] ?? 0
        let error = #expect(throws: KeychainError.self) { try keychain.unlocked() }
        #expect(error?.code == .pinExpired)
        #expect(error?.remedy == .changePIN)
        #expect((keychain.engine.tokenCalls["C_Login"] ?? 0) == before)
        try keychain.engine.changePIN(from: token.pin(), to: SecretBytes(copying: newPIN))
    }

    @Test func `The last try of either PIN is spent only by who agrees`() throws {
        let mock = try MockToken()
        let token = mock.token
        let keychain = try TestKeychain(token: token, uri: mock.uri.string)
        mock.script(.flags(set: [.userPINFinalTry, .soPINFinalTry]))
        let change = { (finalTry: Bool) in
            try keychain.engine.changePIN(from: token.pin(), to: SecretBytes(copying: newPIN), finalTry: finalTry)
        }
        let unblock = { (finalTry: Bool) in
            try keychain.engine.unblock(
                token.pin(), securityOfficerPIN: token.soPIN(), destroying: 0, finalTry: finalTry)
        }
        #expect(code { try change(false) } == .pinFinalTry)
        #expect(keychain.engine.tokenCalls["C_SetPIN"] == nil)
        try change(true)
        #expect(code { try unblock(false) } == .soPINFinalTry)
        #expect(keychain.engine.tokenCalls["C_InitPIN"] == nil)
        mock.module.reset()
        mock.script(.flags(set: .soPINLocked))
        #expect(code { try unblock(true) } == .soPINLocked)
        mock.module.reset()
        mock.script(.flags(set: .soPINFinalTry))
        try unblock(true)
        #expect(keychain.engine.lockState == .locked)
    }
}
