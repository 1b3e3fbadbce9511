// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LocalAuthentication
internal import Security
internal import Testing

@Suite struct EvaluationTests {
    private func accessControl(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
        let made = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
        return try #require(made)
    }

    @Test func `Evaluating a policy throws why it cannot`() async {
        await #expect(throws: LAError(.notInteractive)) {
            try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to pay")
        }
    }

    @Test func `Evaluating a policy replies why it cannot`() async {
        let (success, error) = await withCheckedContinuation { done in
            LAContext().evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "to pay") {
                done.resume(returning: ($0, $1))
            }
        }
        #expect(!success && (error as? LAError)?.code == .biometryNotAvailable)
    }

    @Test func `An invalidated context evaluates nothing`() async throws {
        let context = LAContext()
        context.invalidate()
        let object = try accessControl([])
        await #expect(throws: LAError(.invalidContext)) {
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to pay")
        }
        await #expect(throws: LAError(.invalidContext)) {
            try await context.evaluateAccessControl(object, operation: .useItem, localizedReason: "to pay")
        }
    }

    @Test func `An access control object that wants nothing is satisfied`() async throws {
        let object = try accessControl([])
        let answer = try await LAContext().evaluateAccessControl(
            object, operation: .useItem, localizedReason: "to pay")
        #expect(answer)
    }

    @Test(arguments: [SecAccessControlCreateFlags.userPresence, .devicePasscode, .biometryAny, .applicationPassword])
    func `An access control object that wants something is not`(flags: SecAccessControlCreateFlags) async throws {
        let object = try accessControl(flags)
        let (success, error) = await withCheckedContinuation { done in
            LAContext().evaluateAccessControl(object, operation: .useKeySign, localizedReason: "to sign") {
                done.resume(returning: ($0, $1))
            }
        }
        #expect(!success && (error as? LAError)?.code == .notInteractive)
    }
}
