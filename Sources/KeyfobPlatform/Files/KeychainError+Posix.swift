// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobModel

extension KeychainError {
    /// The error for a system call on a file or folder; `missing` is the code for a path that does not exist.
    package init(
        _ error: PosixError, _ operation: Operation, path: String? = nil, missing: Code = .inputOutput,
        remedy missingRemedy: Remedy? = nil
    ) {
        let code: Code
        let remedy: Remedy?
        switch error.errno {
        case EACCES, EPERM: (code, remedy) = (.permissions, .fixPermissions)
        case ENOSPC, EDQUOT, EFBIG: (code, remedy) = (.diskFull, .freeDiskSpace)
        case EROFS: (code, remedy) = (.readOnly, nil)
        case ENOMEM: (code, remedy) = (.outOfMemory, nil)
        case ENOENT, ENOTDIR: (code, remedy) = (missing, missingRemedy)
        // Every other number stays in the cause.
        default: (code, remedy) = (.inputOutput, nil)
        }
        self.init(
            code, operation, subject: path.map { .path($0) }, cause: .posix(call: error.call, errno: error.errno),
            remedy: remedy)
    }
}
