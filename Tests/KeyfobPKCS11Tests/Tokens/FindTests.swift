// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct FindTests {
    @Test func `A token is found by the path of its module`() throws {
        let made = try SoftHSMToken.make()
        #expect(made.uri.modulePath != nil)
        let token = try Token.find(made.uri)
        #expect(token.identity.label == made.label)
        #expect(token.uri == made.uri)
    }

    @Test func `A token is found by the name of its module`() throws {
        let made = try SoftHSMToken.make()
        let serial = try #require(made.uri.serial)
        let token = try Token.find(TokenURI("pkcs11:serial=\(serial)?module-name=softhsm2"))
        #expect(token.identity.label == made.label)
    }

    @Test func `A token is found among all registered modules`() throws {
        let made = try SoftHSMToken.make()
        let serial = try #require(made.uri.serial)
        let token = try Token.find(TokenURI("pkcs11:serial=\(serial)"))
        #expect(token.identity.label == made.label)
    }

    @Test func `A token that is not there is not found, and the error names the URI`() throws {
        let uri = try TokenURI("pkcs11:token=nobody%20has%20this?module-path=\(SoftHSM.shared.modulePath)")
        let failed = failure { _ = try Token.find(uri) }
        #expect(failed?.fault == .tokenNotFound(uri: uri.string, failedModules: []))
    }

    @Test func `Two tokens with one label are ambiguous, and both are named`() throws {
        let label = "twins \(UInt64.random(in: 0 ... .max))"
        let first = try SoftHSMToken.make(label: label, withPIN: false)
        let second = try SoftHSMToken.make(label: label, withPIN: false)
        let uri = TokenURIBuilder.label(label)
        let failed = failure { _ = try Token.find(uri) }
        guard case .ambiguous(let candidates) = failed?.fault else {
            Issue.record("no ambiguity: \(String(describing: failed))")
            return
        }
        #expect(Set(candidates.map(\.serial)) == Set([first.uri.serial, second.uri.serial].compactMap(\.self)))
    }

    @Test func `A serial tells two tokens with one label apart`() throws {
        let label = "twins \(UInt64.random(in: 0 ... .max))"
        let first = try SoftHSMToken.make(label: label, withPIN: false)
        _ = try SoftHSMToken.make(label: label, withPIN: false)
        #expect(try Token.find(first.uri).identity.serial == first.uri.serial)
    }

    @Test func `A label that is the beginning of another does not match it`() throws {
        let label = "prefix \(UInt32.random(in: 0 ... .max))"
        _ = try SoftHSMToken.make(label: label + "x", withPIN: false)
        let failed = failure { _ = try Token.find(TokenURIBuilder.label(label)) }
        guard case .tokenNotFound = failed?.fault else {
            Issue.record("found: \(String(describing: failed))")
            return
        }
    }

    @Test func `A module that fails does not hide the tokens of another`() throws {
        let made = try SoftHSMToken.make(withPIN: false)
        let plan = FaultPlan()
        let broken = try Module.load(path: SoftHSM.shared.modulePath, interposer: plan)
        plan.fail(.getInfo, with: .deviceError)
        let token = try Token.find(made.uri, in: [broken, SoftHSM.shared.module])
        #expect(token.identity.label == made.label)
    }

    @Test func `A module that fails is named when the token is not found`() throws {
        let plan = FaultPlan()
        let broken = try Module.load(path: SoftHSM.shared.modulePath, interposer: plan)
        plan.fail(.getInfo, with: .deviceError)
        let uri = try TokenURI("pkcs11:token=nobody%20has%20this")
        let failed = failure { _ = try Token.find(uri, in: [broken, SoftHSM.shared.module]) }
        guard case .tokenNotFound(_, let modules) = failed?.fault else {
            Issue.record("wrong error")
            return
        }
        #expect(modules.count == 1)
    }

    @Test func `The only module's failure is the answer`() throws {
        let plan = FaultPlan()
        let broken = try Module.load(path: SoftHSM.shared.modulePath, interposer: plan)
        plan.fail(.getSlotList, with: .deviceError)
        let failed = failure { _ = try Token.find(TokenURI("pkcs11:token=x"), in: [broken]) }
        #expect(failed?.returnValue == .deviceError)
    }

    @Test func `A module whose texts the URI excludes is not looked into`() throws {
        let made = try SoftHSMToken.make(withPIN: false)
        let serial = try #require(made.uri.serial)
        let other = try TokenURI("pkcs11:serial=\(serial);library-manufacturer=Other")
        let own = try TokenURI("pkcs11:serial=\(serial);library-manufacturer=SoftHSM")
        #expect(failure { _ = try Token.find(other, in: [SoftHSM.shared.module]) } != nil)
        #expect(try Token.find(own, in: [SoftHSM.shared.module]).identity.label == made.label)
    }
}

private enum TokenURIBuilder {
    /// The URI of the SoftHSM token with a label, whatever its serial.
    static func label(_ label: String) -> TokenURI {
        do {
            let encoded = label.replacing(" ", with: "%20")
            return try TokenURI("pkcs11:token=\(encoded)?module-path=\(SoftHSM.shared.modulePath)")
        } catch {
            fatalError("\(error)")
        }
    }
}
