// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// That locking is the token's doing: the keys are used directly, past every flag of ours.
@Suite(.lendsTokens) struct LockedKeyTests {
    @Test(arguments: Accessibility.whileUnlocked)
    func `After a lock the token refuses the handle of the session copy`(accessible: Accessibility) throws {
        let test = try TestVault().unlocked()
        let key = try test.vault.classKey(test.id(accessible), .copyMatching)
        let blob = try test.sealed(with: key.handle)
        #expect(test.decryption(blob, with: key.handle) == nil)
        try test.vault.lock()
        #expect(test.decryption(blob, with: key.handle)?.function == "C_DecryptInit")
    }

    @Test(arguments: Accessibility.whileUnlocked)
    func `After a lock the token refuses the handle of the token object`(accessible: Accessibility) throws {
        let test = try TestVault().unlocked()
        let handle = try #require(try test.tokenObject(accessible))
        let blob = try test.sealed(with: handle)
        #expect(test.decryption(blob, with: handle) == nil)
        try test.vault.lock()
        #expect(test.decryption(blob, with: handle)?.function == "C_DecryptInit")
    }

    @Test(arguments: Accessibility.whileUnlocked)
    func `After a lock a search on the token finds no key of the class`(accessible: Accessibility) throws {
        let test = try TestVault().unlocked()
        #expect(try test.tokenObject(accessible) != nil)
        try test.vault.lock()
        #expect(try test.tokenObject(accessible) == nil)
    }

    @Test func `After a lock no private object is visible, neither on the token nor in a session`() throws {
        let test = try TestVault().unlocked()
        for accessible in Accessibility.allCases { _ = try test.vault.classKey(test.id(accessible), .copyMatching) }
        var template = Template()
        template.set(.private, true)
        let visible = {
            try test.beside.withSession { (s) throws(PKCS11Error) in try s.find(template, limit: 50).count }
        }
        // Three class keys, their session copies, and the wrapping key.
        #expect(try visible() == 7)
        try test.vault.lock()
        #expect(try visible() == 0)
    }

    @Test func `After a lock the wrapping key cannot be found or used`() throws {
        let test = try TestVault().unlocked()
        let wrapping = try #require(try test.wrappingObject())
        let record = try #require(test.keys.records.first { $0.id.accessibility == .afterFirstUnlock })
        let blob = try #require(record.material.wrapped.first)
        let name = KeyName(record.id, of: test.keychain)
        let unwrap = {
            try test.beside.withSession { (session) throws(PKCS11Error) in
                try session.destroyObject(AfterFirstUnlock.unwrap(blob, .gcm, by: wrapping, as: name, in: session))
            }
        }
        try unwrap()
        try test.vault.lock()
        #expect(try test.wrappingObject() == nil)
        #expect(throws: PKCS11Error.self) { try unwrap() }
    }

    @Test(arguments: Accessibility.afterUnlock)
    func `A key for after the first unlock goes on decrypting while the token is logged out`(
        accessible: Accessibility
    ) throws {
        let test = try TestVault().unlocked()
        let key = try test.vault.classKey(test.id(accessible), .copyMatching)
        let blob = try test.sealed(with: key.handle)
        try test.vault.lock()
        #expect(!test.beside.isLoggedIn)
        #expect(test.decryption(blob, with: key.handle) == nil)
    }

    @Test(arguments: Accessibility.afterUnlock)
    func `A key for after the first unlock is no object of the token`(accessible: Accessibility) throws {
        let test = try TestVault().unlocked()
        #expect(try test.tokenObject(accessible) == nil)
    }

    @Test(arguments: Accessibility.afterUnlock)
    func `A key for after the first unlock dies with the vault that unwrapped it`(accessible: Accessibility) throws {
        let test = try TestVault()
        let (handle, blob) = try {
            let vault = try test.reopened()
            try vault.unlock(test.token.pin())
            let key = try vault.classKey(test.id(accessible), .copyMatching)
            let blob = try test.sealed(with: key.handle)
            try vault.lock()
            return (key.handle, blob)
        }()
        #expect(test.decryption(blob, with: handle)?.function == "C_DecryptInit")
    }

    @Test(arguments: Accessibility.atAllTimes)
    func `A key of the always classes works before anybody logs in`(accessible: Accessibility) throws {
        let test = try TestVault()
        let handle = try #require(try test.tokenObject(accessible))
        #expect(test.decryption(try test.sealed(with: handle), with: handle) == nil)
    }

    @Test(arguments: Accessibility.whileUnlocked + Accessibility.afterUnlock)
    func `Before the first unlock the token has no key of the other classes to find`(accessible: Accessibility) throws {
        let test = try TestVault()
        #expect(try test.tokenObject(accessible) == nil)
        #expect(try test.wrappingObject() == nil)
    }

    @Test func `Twenty locks and unlocks leave one set of session keys`() throws {
        let test = try TestVault().unlocked()
        for _ in 0..<20 {
            for accessible in Accessibility.allCases { _ = try test.vault.classKey(test.id(accessible), .copyMatching) }
            try test.vault.lock()
            try test.vault.unlock(test.token.pin())
        }
        for accessible in Accessibility.allCases { _ = try test.vault.classKey(test.id(accessible), .copyMatching) }
        var template = Template()
        template.set(.token, false)
        let count = try test.beside.withSession { (s) throws(PKCS11Error) in try s.find(template, limit: 100).count }
        // One for each class; SoftHSM counts session objects of the whole process on this token.
        #expect(count == Accessibility.allCases.count)
    }
}
