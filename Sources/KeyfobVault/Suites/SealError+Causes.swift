// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
internal import KeyfobPKCS11

extension SealError {
    /// A failure of a token call.
    init(_ error: PKCS11Error) {
        if case .memory(let memory) = error.fault { self = .memory(memory) } else { self = .token(error) }
    }

    /// A failure of a computation in the host: what does not authenticate was changed.
    init(_ error: LibcryptoError) {
        switch error.fault {
        case .authentication: self = .notAuthentic
        case .memory(let memory): self = .memory(memory)
        case .library, .size: self = .libcrypto(error)
        }
    }

    /// What `body` makes on the token.
    static func token<R: ~Copyable>(_ body: () throws(PKCS11Error) -> R) throws(SealError) -> R {
        do throws(PKCS11Error) { return try body() } catch { throw SealError(error) }
    }

    /// What `body` computes in the host.
    static func host<R: ~Copyable>(_ body: () throws(LibcryptoError) -> R) throws(SealError) -> R {
        do throws(LibcryptoError) { return try body() } catch { throw SealError(error) }
    }
}

extension PKCS11Error {
    /// Whether the token refused to derive in a way that a form of the peer's point which it does not take may be the
    /// reason of.
    var isRefusedPoint: Bool {
        guard function == "C_DeriveKey", let value = returnValue else { return false }
        switch value {
        case .mechanismParamInvalid, .argumentsBad, .dataInvalid, .dataLenRange, .domainParamsInvalid,
            .publicKeyInvalid, .generalError, .functionFailed:
            return true
        default: return false
        }
    }
}
