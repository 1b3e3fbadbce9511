// SPDX-License-Identifier: Apache-2.0
internal import Glibc
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
    ///   subject of their own, and for those that want something of the person.
    package init(_ error: KeychainError, about: String? = nil) {
        let words = error.code.words
        let concerned = error.operation.concernsItems ? about : nil
        // What a person is asked for is asked about the item in the person's own words, not by its number.
        let subject = error.code.isAboutPerson ? concerned ?? error.subject?.words : error.subject?.words ?? concerned
        var cause = error.cause?.words
        // A place in a file is named once.
        if let subject, let whole = cause, whole.hasPrefix(subject + ": ") {
            cause = String(whole.dropFirst(subject.count + 2))
        }
        let isAbsentItem = error.code == .itemNotFound && subject?.hasPrefix("item ") == true
        let what = isAbsentItem ? [subject.map { "there is no \($0)" }] : [words.meaning, subject]
        let parts = (what + [cause]).compactMap(\.self)
        self.init(words.status, parts.joined(separator: ": "), hint: Self.hint(error))
    }

    private static func hint(_ error: KeychainError) -> String? {
        switch error.code {
        case .pinNotGiven:
            "run it on a terminal, or name a file with the PIN: --pin-source FILE, or pin-source in config.json"
        case .presenceRequired: "run it on a terminal, or name a file with the PIN: --pin-source FILE"
        case .applicationPasswordRequired: "run it on a terminal, or name a pinentry program in config.json"
        case .applicationPasswordIncorrect: "try again with the password that the item was stored with"
        case .permissions where error.cause?.isRefusedFolder == true:
            "you may not make a folder there; name one of your own with --home or KEYFOB_HOME"
        case .keychainExists: "keyfob status shows it; --home FOLDER makes another one elsewhere"
        default: error.remedy?.words
        }
    }
}

extension KeychainError.Code {
    /// Whether an item wants something of a person that was not given, or not rightly.
    fileprivate var isAboutPerson: Bool {
        [.presenceRequired, .applicationPasswordRequired, .applicationPasswordIncorrect].contains(self)
    }
}

extension KeychainError.Cause {
    /// Whether a folder could not be made where the person may not write.
    fileprivate var isRefusedFolder: Bool {
        guard case .posix("mkdir", EACCES) = self else { return false }
        return true
    }
}

extension KeychainError.Operation {
    /// Whether it works on items; the others fail for reasons that have nothing to do with one.
    fileprivate var concernsItems: Bool {
        switch self {
        case .add, .copyMatching, .update, .delete: true
        case .open, .create, .unlock, .lock, .provision, .verify, .status, .configure, .prompt, .connect, .serve,
            .audit, .changePIN, .unblock:
            false
        }
    }
}
