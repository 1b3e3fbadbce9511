// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

extension KeychainError {
    /// The error for secret memory that could not be had.
    package init(_ error: SecretMemoryError, _ operation: Operation) {
        let mustLock = error.name == "mlock"
        self.init(
            mustLock ? .memoryNotLocked : .outOfMemory, operation,
            cause: .posix(call: error.name, errno: error.errno),
            remedy: mustLock ? .raiseLockedMemoryLimit : nil)
    }
}
