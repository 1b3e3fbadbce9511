// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPKCS11

extension SealError {
    /// Whether the sealed form was refused, in a way that damage is one reason of: the host is sure, a token may also have
    /// failed.
    var isRejected: Bool {
        switch self {
        case .notAuthentic: true
        case .token(let error): error.isRejectedCiphertext
        case .libcrypto, .memory: false
        }
    }
}

extension KeychainError {
    /// The error of a seal or an open as a keychain tells it; what is not authentic, and is no item, is damage of the store.
    init(_ error: SealError, _ operation: Operation) {
        switch error {
        case .token(let error): self.init(error, operation)
        case .libcrypto(let error): self.init(error, operation)
        case .memory(let error): self.init(error, operation)
        case .notAuthentic:
            self.init(
                .storeDamaged, operation, cause: .format(place: "sealed key", fault: "fails authentication"),
                remedy: .restoreFromBackup)
        }
    }
}
