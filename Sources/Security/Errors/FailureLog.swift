// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobModel
internal import KeyfobWords
internal import Synchronization

/// Says on standard error, once each, what a bare status code cannot: why there is no keychain, and what to do.
///
/// What a caller did, and a locked class key, are no news: the status says all. What the token cannot do is told with its
/// reason. Names and numbers only.
enum FailureLog {
    private static let seen = Mutex<Set<KeychainError>>([])
    private static let capacity = 64

    /// Writes about the error if it has not before and its status hides the reason.
    static func note(_ error: KeychainError) {
        guard deservesWords(error.code) || (error.code == .unimplemented && error.cause != nil) else { return }
        let isNew = seen.withLock { $0.count < capacity && $0.insert(error).inserted }
        guard isNew else { return }
        FileHandle.standardError.write(Data(text(of: error).utf8))
    }

    static func deservesWords(_ code: KeychainError.Code) -> Bool {
        switch code {
        case .invalidParameter, .noSuchAttribute, .noSuchClass, .duplicateItem, .itemNotFound, .missingEntitlement,
            .unimplemented, .interactionNotAllowed, .canceled, .presenceRequired, .applicationPasswordRequired,
            .applicationPasswordIncorrect:
            false
        default: true
        }
    }

    static func text(of error: KeychainError) -> String {
        if error.subject == ServiceSelection.missingService { return missing(ServiceSelection.autostart) }
        let failure = Failure(error)
        let hint = failure.hint ?? "keyfob status tells the state of the keychain"
        return "keyfob: error: \(failure.what)\nkeyfob: hint: \(hint)\n"
    }

    static func missing(_ autostart: ServiceSelection.Autostart) -> String {
        "keyfob: error: no keychain answers this program\nkeyfob: hint: \(autostart.hint)\n"
    }
}
