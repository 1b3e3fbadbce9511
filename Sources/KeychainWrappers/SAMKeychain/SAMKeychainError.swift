// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security

/// The code of an argument that is missing; other codes are statuses of the keychain.
let badArguments = -1001

/// The error of SAMKeychain or SSKeychain, with a text for a person.
func samError(_ domain: String, _ code: Int) -> NSError {
    let text =
        code == badArguments
        ? "A service, an account or a password is missing."
        : SecCopyErrorMessageString(OSStatus(truncatingIfNeeded: code), nil).map { String($0) } ?? ""
    return NSError(domain: domain, code: code, userInfo: [NSLocalizedDescriptionKey: text])
}
