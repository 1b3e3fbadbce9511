// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobModel
internal import Testing

@testable internal import Security

@Suite struct ErrorTests {
    @Test func `Every status code has its text`() {
        for (name, constant, _, text) in statusTable {
            let expected = text ?? "OSStatus \(constant)"
            #expect(SecCopyErrorMessageString(constant, nil) as String? == expected, "\(name)")
        }
    }

    @Test func `An unknown status code is told by its number`() {
        #expect(SecCopyErrorMessageString(-987_654, nil) as String? == "OSStatus -987654")
    }

    @Test func `Each error code of the keychain becomes one status`() {
        let table: [(KeychainError.Code, OSStatus)] = [
            (.invalidParameter, -50), (.noSuchAttribute, -25303), (.noSuchClass, -25306), (.duplicateItem, -25299),
            (.itemNotFound, -25300), (.missingEntitlement, -34018), (.unimplemented, -4),
            (.interactionNotAllowed, -25308), (.notAvailable, -25291), (.tokenNotFound, -25291),
            (.tokenAmbiguous, -25291), (.moduleNotLoadable, -25291), (.wrongToken, -25291), (.notProvisioned, -25291),
            (.pinIncorrect, -25293), (.pinLocked, -25293), (.pinFinalTry, -25293), (.pinLength, -25293),
            (.pinExpired, -25293), (.soPINIncorrect, -25293), (.soPINLocked, -25293),
            (.soPINFinalTry, -25293), (.pinUnsuitable, -25293), (.pinNotSet, -25291), (.pinNotGiven, -25308),
            (.canceled, -128),
            (.tokenFailed, -26276), (.residenceRefused, -25291), (.keyExhausted, -25291), (.diskFull, -34),
            (.inputOutput, -36), (.readOnly, -25292), (.storeDamaged, -25291), (.storeTooNew, -25291),
            (.keychainInUse, -25291), (.keychainNotFound, -25291), (.keychainExists, -25296), (.itemDamaged, -25300),
            (.permissions, -25291), (.outOfMemory, -108), (.memoryNotLocked, -108), (.configurationInvalid, -25291),
            (.timedOut, -25291), (.internalError, -26276),
        ]
        for (code, status) in table { #expect(OSStatus(KeychainError(code, .add)) == status, "\(code)") }
        #expect(Set(table.map(\.0)).count == table.count)
    }

    @Test func `Each status of an error is one that a client may see`() {
        let visible = Set(statusTable.map(\.number))
        for number in UInt16(0)...100 {
            let status = OSStatus(KeychainError(KeychainError.Code(rawValue: number), .add))
            #expect(visible.contains(status) && status != errSecSuccess, "\(number)")
        }
    }

    @Test func `An error code of a newer build is an internal fault`() {
        #expect(OSStatus(KeychainError(KeychainError.Code(rawValue: 9999), .add)) == errSecInternal)
    }

    @Test func `What a caller did and a locked key are not logged`() {
        for code: KeychainError.Code in [.invalidParameter, .itemNotFound, .duplicateItem, .interactionNotAllowed] {
            #expect(!FailureLog.deservesWords(code))
        }
        #expect(FailureLog.deservesWords(.tokenNotFound))
    }

    @Test func `The log says what happened, to what, and what to do`() {
        let error = KeychainError(
            .diskFull, .add, subject: .path("/x/keychain.db"), cause: .posix(call: "write", errno: 28),
            remedy: .freeDiskSpace)
        let text = FailureLog.text(of: error)
        #expect(text.hasPrefix("keyfob: error: the disk is full: /x/keychain.db"))
        #expect(text.contains("/x/keychain.db") && text.contains("write") && text.contains("28"))
        #expect(text.hasSuffix("keyfob: hint: free some space and try again; nothing was changed\n"))
    }

    @Test func `Without a keychain the log says how to get one`() {
        #expect(FailureLog.missing(.notAsked).contains("EmbeddedKeychain.open()"))
        #expect(FailureLog.missing(.notLinked).contains("link it"))
        #expect(FailureLog.missing(.tried).contains("did not open"))
    }
}
