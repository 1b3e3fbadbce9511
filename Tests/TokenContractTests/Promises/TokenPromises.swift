// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobTestSupport
import Testing

/// What is expected of each kind: the only place that says so, but for the same table in docs/tokens.md.
enum TokenPromises {
    /// The answers in the order of `TokenKind.allCases`: softhsm, nss, opencryptoki, tpm2, remote, opensc.
    static let table: [(promise: Promise, answers: [Answer])] = [
        (.foundByLabel, ["yes", "yes", "yes", "yes", "yes", "yes"]),
        (.serial, ["yes", "no", "yes", "no", "yes", "no"]),
        (.twins, ["yes", "no", "no", "no", "yes", "no"]),
        (.lengths, ["4...255", "0...500", "4...8", "0...128", "4...255", "4...8"]),
        (.afterWrongPIN, ["few", "unknown", "few", "unknown", "few", "few"]),
        (.locking, ["never", "never", "3", "not tried", "never", "not tried"]),
        (.unlocking, ["yes", "no", "yes", "yes", "yes", "no"]),
        (.aesKey, ["yes", "yes", "yes", "no", "yes", "no"]),
        (.genericKey, ["yes", "yes", "yes", "no", "yes", "no"]),
        (.rsaKey, ["yes", "yes", "yes", "yes", "yes", "no"]),
        (.ecKey, ["yes", "yes", "no", "yes", "yes", "no"]),
        (.dataObject, ["yes", "no", "yes", "yes", "yes", "no"]),
        (.gcm, ["yes", "yes", "no", "no", "no", "no"]),
        (.cbcPad, ["yes", "yes", "yes", "no", "no", "no"]),
        (.hmac, ["yes", "yes", "yes", "no", "yes", "no"]),
        (.oaepSHA1, ["yes", "yes", "yes", "yes", "yes", "yes"]),
        (.oaepSHA256, ["no", "yes", "yes", "yes", "no", "yes"]),
        (.ecdsa, ["yes", "yes", "no", "yes", "yes", "no"]),
        (.wrapping, ["yes", "yes", "no", "no", "no", "no"]),
        (.publicKey, ["yes", "no", "yes", "no", "yes", "no"]),
        (.publicSessionKey, ["yes", "yes", "yes", "no", "yes", "no"]),
        (.copying, ["no", "yes", "yes", "no", "no", "no"]),
        (.oldHandle, ["refused", "refused", "refused", "refused", "refused", "works"]),
        (.foundLoggedOut, ["no", "no", "no", "no", "no", "no"]),
        (.threads, ["yes", "yes", "yes", "not tried", "yes", "yes"]),
        (
            .removed,
            [
                "CKR_GENERAL_ERROR", "not tried", "CKR_FUNCTION_FAILED", "CKR_GENERAL_ERROR", "CKR_DEVICE_ERROR",
                "CKR_TOKEN_NOT_PRESENT",
            ]
        ),
        (
            .returned,
            ["after a new start", "not tried", "at once", "after a new start", "after a new start", "at once"]
        ),
    ]

    /// What is expected of the kind that this process tests.
    static func expected(_ promise: Promise) -> Answer? {
        guard let column = TokenKind.allCases.firstIndex(of: .current) else { return nil }
        return table.first { $0.promise == promise }?.answers[column]
    }
}

/// Holds what was found against what is promised, and tells whoever collects the table (`KEYFOB_TEST_PROMISES`: a file).
func keep(_ promise: Promise, _ found: Answer, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
        TokenPromises.expected(promise) == found, "\(TokenKind.current): \(promise.rawValue)",
        sourceLocation: sourceLocation)
    guard let path = ProcessInfo.processInfo.environment["KEYFOB_TEST_PROMISES"] else { return }
    guard let file = unsafe fopen(path, "a") else {
        Issue.record("cannot write \(path)")
        return
    }
    unsafe fputs("\(TokenKind.current)|\(promise.rawValue)|\(found)\n", file)
    unsafe fclose(file)
}
