// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
internal import KeyfobModel

extension KeychainError {
    /// The error of a libcrypto call that was not asked to judge anything: authentication failures are handled before.
    init(_ error: LibcryptoError, _ operation: Operation) {
        switch error.fault {
        case .memory(let memory): self.init(memory, operation)
        case .library, .size, .authentication:
            self.init(.internalError, operation, cause: .libcrypto(error.queue))
        }
    }
}
