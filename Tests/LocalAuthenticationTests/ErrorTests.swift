// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LocalAuthentication
internal import Testing

@Suite struct ErrorTests {
    private func thrown(_ code: LAError.Code) throws { throw LAError(code) }

    @Test func `An error has Apple's domain and number as an object`() {
        let error = LAError(.userCancel) as any Error as NSError
        #expect(error.domain == "com.apple.LocalAuthentication" && error.code == -2)
        #expect(LAError.errorDomain == LAErrorDomain && LAError(.userCancel).errorCode == -2)
    }

    @Test func `An object becomes the error that it stands for`() {
        let error = LAError(_nsError: NSError(domain: LAErrorDomain, code: LAError.Code.invalidContext.rawValue))
        #expect(error.code == .invalidContext && error == LAError(_nsError: error._nsError))
    }

    @Test func `A catch clause can name a code`() {
        do {
            try thrown(.userFallback)
        } catch LAError.userCancel {
            Issue.record("that was another code")
        } catch LAError.userFallback {
            return
        } catch {
            Issue.record("the code was not recognised")
        }
    }

    @Test func `Errors of the same code are equal`() {
        #expect(LAError(.appCancel) == LAError(.appCancel) && LAError(.appCancel) != LAError(.systemCancel))
        #expect(Set([LAError(.appCancel), LAError(.appCancel)]).count == 1)
    }

    @Test func `An unknown number is a failure to authenticate`() {
        #expect(LAError(_nsError: NSError(domain: LAErrorDomain, code: 99)).code == .authenticationFailed)
    }

    @Test func `Each code has a text of its own`() {
        let texts = LAError.Code.allCases.map { LAError($0).localizedDescription }
        #expect(Set(texts).count == LAError.Code.allCases.count && !texts.contains(""))
    }

    @Test func `What the caller says goes over our text`() {
        let error = LAError(.systemCancel, userInfo: [NSLocalizedDescriptionKey: "shutting down"])
        #expect(error.localizedDescription == "shutting down" && error.errorUserInfo.count == 1)
    }

    @Test func `Older names are names of the same codes`() {
        #expect(LAError.touchIDNotAvailable == LAError.biometryNotAvailable)
        #expect(LAError.Code.touchIDLockout == .biometryLockout && LAError.watchNotAvailable == .companionNotAvailable)
        #expect(Int(kLAErrorTouchIDNotEnrolled) == LAError.Code.biometryNotEnrolled.rawValue)
        #expect(Int(kLAErrorNotInteractive) == LAError.Code.notInteractive.rawValue)
    }
}
