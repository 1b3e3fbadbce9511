// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import KeyfobPKCS11

@Suite struct ReturnValueTests {
    @Test func `A known value is described by its C name and number`() {
        #expect(ReturnValue.pinLocked.name == "CKR_PIN_LOCKED")
        #expect(ReturnValue.pinLocked.description == "CKR_PIN_LOCKED (0xA4)")
    }

    @Test func `An unknown value keeps its number`() {
        let value = ReturnValue(rawValue: 0x8000_0123)
        #expect(value.name == "CKR_0x80000123")
        #expect(value.description == "CKR_0x80000123")
        #expect(value.kind == .tokenFailed)
    }

    @Test(arguments: [
        (ReturnValue.ok, ReturnValue.Kind.success), (.pinIncorrect, .pinIncorrect), (.pinLocked, .pinLocked),
        (.pinLenRange, .pinUnsuitable), (.pinExpired, .pinExpired), (.userPINNotInitialized, .pinNotSet),
        (.userNotLoggedIn, .notLoggedIn), (.userAlreadyLoggedIn, .alreadyLoggedIn),
        (.userAnotherAlreadyLoggedIn, .alreadyLoggedIn), (.sessionHandleInvalid, .sessionLost),
        (.cryptokiNotInitialized, .sessionLost), (.deviceRemoved, .tokenGone), (.tokenNotPresent, .tokenGone),
        (.keyHandleInvalid, .objectGone), (.objectHandleInvalid, .objectGone), (.encryptedDataInvalid, .dataInvalid),
        (.aeadDecryptFailed, .dataInvalid), (.mechanismInvalid, .notSupported), (.templateInconsistent, .notSupported),
        (.tokenWriteProtected, .readOnly), (.deviceMemory, .exhausted), (.sessionCount, .exhausted),
        (.argumentsBad, .programError), (.operationActive, .programError), (.generalError, .tokenFailed),
        (.deviceError, .tokenFailed), (.functionFailed, .tokenFailed),
    ])
    func `A value says what its caller should do`(_ value: ReturnValue, _ kind: ReturnValue.Kind) {
        #expect(value.kind == kind)
    }

    @Test func `Every kind occurs among the known values`() {
        let kinds = Set(ReturnValue.names.keys.map { ReturnValue(rawValue: $0).kind })
        #expect(kinds == Set(ReturnValue.Kind.allCases))
    }

    @Test(arguments: [
        ReturnValue.generalError, .deviceError, .functionFailed, .bufferTooSmall, .operationActive,
        .encryptedDataInvalid, .hostMemory, .sessionHandleInvalid, .deviceRemoved, ReturnValue(rawValue: 0x8000_0001),
    ])
    func `A session is not used again after an unexpected value`(_ value: ReturnValue) {
        #expect(!value.leavesSessionClean)
    }

    @Test(arguments: [
        ReturnValue.ok, .pinIncorrect, .mechanismInvalid, .attributeTypeInvalid, .keyHandleInvalid, .userNotLoggedIn,
    ])
    func `A session stays in use after an answer to the request itself`(_ value: ReturnValue) {
        #expect(value.leavesSessionClean)
    }

    @Test func `Only a lost session, a lost token and a device error end all sessions`() {
        let ending = ReturnValue.names.keys.map { ReturnValue(rawValue: $0) }.filter(\.endsAllSessions)
        #expect(
            Set(ending) == [
                .sessionHandleInvalid, .sessionClosed, .cryptokiNotInitialized, .deviceRemoved, .tokenNotPresent,
                .tokenNotRecognized, .slotIDInvalid, .deviceError,
            ])
    }

    @Test func `An error tells function and value of a failed call only`() {
        let failed = PKCS11Error(function: "C_Login", returnValue: .pinIncorrect)
        #expect(failed.function == "C_Login")
        #expect(failed.returnValue == .pinIncorrect)
        let other = PKCS11Error(.timedOut)
        #expect(other.function == nil)
        #expect(other.returnValue == nil)
    }
}
