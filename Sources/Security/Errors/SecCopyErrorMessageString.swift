// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A text for a status code, in English; never nil.
///
/// A code without a text of its own gives `OSStatus` and its number. `reserved` is ignored.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    NSString(string: errorMessage(for: status))
}

/// The text of `SecCopyErrorMessageString` as a Swift string.
func errorMessage(for status: OSStatus) -> String {
    errorMessages[status] ?? "OSStatus \(status)"
}
