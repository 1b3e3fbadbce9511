// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security

/// Says on standard error why a wrapper gives nil or false; never what an item holds or is called.
enum WrapperLog {
    static func report(_ wrapper: String, _ reason: String) {
        FileHandle.standardError.write(Data("keyfob: warning: \(wrapper): \(reason)\n".utf8))
    }

    /// Reports a status other than success and "not found"; gives whether it is success.
    static func succeeded(_ status: OSStatus, _ wrapper: String) -> Bool {
        if status != errSecSuccess && status != errSecItemNotFound {
            let text = SecCopyErrorMessageString(status, nil).map { String($0) } ?? ""
            report(wrapper, "\(text) (\(status))")
        }
        return status == errSecSuccess
    }
}
