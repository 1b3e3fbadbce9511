// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobMemory
internal import Testing

@testable internal import LocalAuthentication

@Suite struct CredentialTests {
    private func text(_ context: LAContext, _ type: LACredentialType) throws -> String? {
        guard let secret = try context.copyCredential(type) else { return nil }
        return secret.withBytes { span in
            unsafe span.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test func `A new context has no credential`() throws {
        let context = LAContext()
        #expect(!context.isCredentialSet(.applicationPassword) && !context.isCredentialSet(.smartCardPIN))
        #expect(try text(context, .smartCardPIN) == nil)
    }

    @Test func `A credential is kept under its type`() throws {
        let context = LAContext()
        #expect(context.setCredential(Data("1234".utf8), type: .smartCardPIN))
        #expect(context.isCredentialSet(.smartCardPIN) && !context.isCredentialSet(.applicationPassword))
        #expect(try text(context, .smartCardPIN) == "1234")
    }

    @Test func `A credential of the same type takes the place of the first`() throws {
        let context = LAContext()
        context.setCredential(Data("old".utf8), type: .applicationPassword)
        context.setCredential(Data("new".utf8), type: .applicationPassword)
        #expect(try text(context, .applicationPassword) == "new")
    }

    @Test func `An empty credential is one`() throws {
        let context = LAContext()
        #expect(context.setCredential(Data(), type: .applicationPassword))
        #expect(try text(context, .applicationPassword) == "")
    }

    @Test func `Nil takes a credential back`() {
        let context = LAContext()
        context.setCredential(Data("1234".utf8), type: .smartCardPIN)
        #expect(context.setCredential(nil, type: .smartCardPIN))
        #expect(!context.isCredentialSet(.smartCardPIN))
    }

    @Test func `An invalidated context has no credential and takes none`() {
        let context = LAContext()
        context.setCredential(Data("1234".utf8), type: .smartCardPIN)
        context.invalidate()
        #expect(!context.isCredentialSet(.smartCardPIN))
        #expect(!context.setCredential(Data("1234".utf8), type: .smartCardPIN))
        #expect(!context.isCredentialSet(.smartCardPIN))
    }

    @Test func `A drawer that goes wipes what was in it`() throws {
        let arena = SecretArena()
        var address = UInt(0)
        do {
            var drawer = CredentialDrawer()
            var secret = try SecretBytes(copying: Array("1234".utf8), arena: arena)
            unsafe secret.withUnsafeMutableBytes { address = UInt(bitPattern: $0.baseAddress) }
            drawer.put(secret, .smartCardPIN)
            let isThere = drawer.has(.smartCardPIN)
            #expect(isThere)
        }
        let place = unsafe try #require(unsafe UnsafeRawPointer(bitPattern: address))
        #expect(unsafe UnsafeRawBufferPointer(start: place, count: 4).allSatisfy { $0 == 0 })
    }
}
