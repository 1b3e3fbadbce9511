// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LocalAuthentication
internal import Testing

@Suite struct ContextTests {
    private final class Patient: LAContext {
        override var biometryType: LABiometryType { .touchID }

        override func canEvaluatePolicy(_ policy: LAPolicy, error: UnsafeMutablePointer<NSError?>?) -> Bool { true }
    }

    private func refusal(_ context: LAContext, _ policy: LAPolicy) -> NSError? {
        var error: NSError?
        let can = unsafe context.canEvaluatePolicy(policy, error: &error)
        return can ? nil : error
    }

    @Test func `A new context allows interaction and says nothing else`() {
        let context = LAContext()
        #expect(!context.interactionNotAllowed && context.localizedReason.isEmpty)
        #expect(context.localizedFallbackTitle == nil && context.localizedCancelTitle == nil)
        #expect(context.touchIDAuthenticationAllowableReuseDuration == 0)
    }

    @Test func `What is set on a context is kept`() {
        let context = LAContext()
        context.interactionNotAllowed = true
        context.localizedReason = "to pay"
        context.localizedFallbackTitle = "PIN"
        context.localizedCancelTitle = "no"
        context.touchIDAuthenticationAllowableReuseDuration = LATouchIDAuthenticationMaximumAllowableReuseDuration
        #expect(context.interactionNotAllowed && context.localizedReason == "to pay")
        #expect(context.localizedFallbackTitle == "PIN" && context.localizedCancelTitle == "no")
        #expect(context.touchIDAuthenticationAllowableReuseDuration == 300)
    }

    @Test func `A machine without biometry says so`() {
        let context = LAContext()
        #expect(context.biometryType == .none && context.evaluatedPolicyDomainState == nil)
        #expect(
            refusal(context, .deviceOwnerAuthenticationWithBiometrics)?.code == LAError.biometryNotAvailable.rawValue)
    }

    @Test(arguments: [
        (LAPolicy.deviceOwnerAuthentication, LAError.Code.notInteractive),
        (.deviceOwnerAuthenticationWithWatch, .companionNotAvailable),
        (.deviceOwnerAuthenticationWithBiometricsOrWatch, .biometryNotAvailable),
        (.deviceOwnerAuthenticationWithWristDetection, .companionNotAvailable),
    ])
    func `No policy can be evaluated, each for its reason`(policy: LAPolicy, code: LAError.Code) {
        let error = refusal(LAContext(), policy)
        #expect(error?.domain == LAErrorDomain && error?.code == code.rawValue)
    }

    @Test func `An invalidated context says so`() {
        let context = LAContext()
        context.invalidate()
        #expect(refusal(context, .deviceOwnerAuthentication)?.code == LAError.invalidContext.rawValue)
    }

    @Test func `A caller that wants no error gets none`() {
        #expect(unsafe !LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
    }

    @Test func `A program may put its own context in the place of ours`() {
        let context: LAContext = Patient()
        #expect(context.biometryType == .touchID)
        #expect(refusal(context, .deviceOwnerAuthentication) == nil)
    }
}
