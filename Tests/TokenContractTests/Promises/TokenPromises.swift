// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobTestSupport
import Testing

/// What is expected of each kind: the only place that says so, but for the same table in docs/tokens.md.
enum TokenPromises {
    /// A promise and its answers.
    struct Row {
        let promise: Promise
        let answers: [Answer]

        init(_ promise: Promise, _ answers: Answer...) {
            self.promise = promise
            self.answers = answers
        }
    }

    /// The answers in the order of `TokenKind.allCases`: softhsm, nss, opencryptoki, tpm2, remote, opensc.
    static let table: [Row] = [
        Row(.foundByLabel, "yes", "yes", "yes", "yes", "yes", "yes"),
        Row(.serial, "yes", "no", "yes", "no", "yes", "no"),
        Row(.twins, "yes", "no", "no", "no", "yes", "no"),
        Row(.lengths, "4...255", "0...500", "4...8", "0...128", "4...255", "4...8"),
        Row(.afterWrongPIN, "few", "unknown", "few", "unknown", "few", "unknown"),
        Row(.locking, "never", "never", "3", "not tried", "never", "not tried"),
        Row(.unlocking, "yes", "no", "yes", "yes", "yes", "no"),
        Row(.aesKey, "yes", "yes", "yes", "no", "yes", "no"),
        Row(.genericKey, "yes", "yes", "yes", "no", "yes", "no"),
        Row(.rsaKey, "yes", "yes", "yes", "yes", "yes", "no"),
        Row(.ecKey, "yes", "yes", "no", "yes", "yes", "no"),
        Row(.dataObject, "yes", "no", "yes", "yes", "yes", "no"),
        Row(.gcm, "yes", "yes", "no", "no", "no", "no"),
        Row(.cbc, "yes", "yes", "yes", "no", "no", "no"),
        Row(.hmac, "yes", "yes", "yes", "no", "yes", "no"),
        Row(.oaepSHA1, "yes", "yes", "yes", "yes", "yes", "yes"),
        Row(.oaepSHA256, "no", "yes", "yes", "yes", "no", "yes"),
        Row(.ecdh, "yes", "yes", "no", "no", "no", "yes"),
        Row(.derPoint, "yes", "yes", "no", "no", "no", "no"),
        Row(.wrapping, "yes", "yes", "no", "no", "no", "no"),
        Row(.publicKey, "yes", "no", "yes", "no", "yes", "no"),
        Row(.publicSessionKey, "yes", "yes", "yes", "no", "yes", "no"),
        Row(.copying, "no", "yes", "yes", "no", "no", "no"),
        Row(.oldHandle, "refused", "refused", "refused", "refused", "refused", "works"),
        Row(.foundLoggedOut, "no", "no", "no", "no", "no", "no"),
        Row(.threads, "yes", "yes", "yes", "yes", "yes", "yes"),
        Row(.adopted, "yes", "yes", "yes", "yes", "yes", "yes"),
        Row(.forgets, "refused", "refused", "refused", "refused", "refused", "refused after a new start"),
        Row(
            .removed, "CKR_GENERAL_ERROR", "not tried", "CKR_FUNCTION_FAILED", "CKR_GENERAL_ERROR", "CKR_DEVICE_ERROR",
            "CKR_DEVICE_REMOVED"),
        Row(
            .returned, "after a new start", "not tried", "at once", "after a new start", "after a new start",
            "when found again"),
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
