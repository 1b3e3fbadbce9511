// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The domain of an error.
public func CFErrorGetDomain(_ error: CFError) -> CFString! { NSString(string: error.domain) }

/// The code of an error; in `NSOSStatusErrorDomain` a status code.
public func CFErrorGetCode(_ error: CFError) -> CFIndex { error.code }

/// What an error carries beside its domain and code.
public func CFErrorCopyUserInfo(_ error: CFError) -> CFDictionary! { error.userInfo as NSDictionary }

/// A text for a person.
public func CFErrorCopyDescription(_ error: CFError) -> CFString! { NSString(string: error.localizedDescription) }

extension NSError {
    /// The error that stands for a status code, its text as `SecCopyErrorMessageString` gives it.
    convenience init(status: OSStatus) {
        self.init(
            domain: NSOSStatusErrorDomain, code: Int(status),
            userInfo: [NSLocalizedDescriptionKey: errorMessage(for: status)])
    }
}
