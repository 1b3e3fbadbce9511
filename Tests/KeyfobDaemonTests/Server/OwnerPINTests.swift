// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import Testing

@testable import KeyfobDaemon

/// Who may send a PIN with a request for items.
struct OwnerPINTests {
    private let rule = OwnerRule(uid: 990, group: 77)

    private func caller(uid: UInt32, groups: [UInt32] = []) -> Caller {
        Caller(uid: uid, gid: 100, groups: groups, pid: 1, startTime: 1, executable: nil, unit: nil)
    }

    private func code(_ credentials: Credentials?, _ caller: Caller) -> KeychainError.Code? {
        do throws(KeychainError) {
            try rule.requirePIN(credentials, caller, .copyMatching)
            return nil
        } catch { return error.code }
    }

    @Test func `Owners may, and others may not`() throws {
        let pin = Credentials(pin: try SecretBytes(copying: [0x31]))
        for owner in [caller(uid: 990), caller(uid: 0), caller(uid: 1000, groups: [77])] {
            #expect(code(pin, owner) == nil)
        }
        #expect(code(pin, caller(uid: 1000)) == .notOwner)
    }

    @Test func `A request without a PIN is everybody's, with a password too`() throws {
        #expect(code(nil, caller(uid: 1000)) == nil)
        let password = Credentials(applicationPassword: try SecretBytes(copying: [0x31]))
        #expect(code(password, caller(uid: 1000)) == nil)
    }
}
