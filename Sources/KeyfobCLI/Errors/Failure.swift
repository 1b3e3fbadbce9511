// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// Why a command ends without success: what to say and the exit status.
///
/// Neither text has a full stop or a line break; `what` names the item or token, `hint` the next thing to do.
package struct Failure: Error, Hashable, Sendable {
    package let status: ExitStatus
    package let what: String
    package let hint: String?

    package init(_ status: ExitStatus, _ what: String, hint: String? = nil) {
        self.status = status
        self.what = what
        self.hint = hint
    }

    /// The failure that an error of the keychain is.
    ///
    /// - Parameter about: What the command was about in the person's words (`item "mail"`), for errors without a
    ///   subject of their own.
    package init(_ error: KeychainError, about: String? = nil) {
        let words = error.code.words
        let parts = [words.meaning, error.subject?.words ?? about, error.cause?.words].compactMap(\.self)
        self.init(words.status, parts.joined(separator: ": "), hint: error.remedy?.words)
    }
}
