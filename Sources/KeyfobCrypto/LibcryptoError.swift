// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobLibcrypto
package import KeyfobMemory

/// Why a call of this module failed: which function, and what libcrypto said about it.
package struct LibcryptoError: Error, Hashable, Sendable {
    /// What kind of failure it is.
    package enum Fault: Hashable, Sendable {
        /// libcrypto refused; `queue` says why.
        case library
        /// The tag does not fit: key, nonce, associated data, ciphertext or tag is not the one that was sealed with.
        case authentication
        /// A parameter has a size that the algorithm does not allow.
        case size
        /// Secret memory for the result could not be had.
        case memory(SecretMemoryError)
    }

    /// The function that failed, by its name in C where it is one of libcrypto's.
    package let call: String
    package let fault: Fault
    /// The packed error codes that libcrypto queued (`ERR_get_error`), oldest first; often empty.
    package let queue: [UInt]

    package init(call: String, fault: Fault, queue: [UInt] = []) {
        self.call = call
        self.fault = fault
        self.queue = queue
    }

    /// Whether bytes were refused because they are not what was sealed, as opposed to a fault of the machine.
    package var isAuthenticationFailure: Bool { fault == .authentication }

    /// The failure of `call`, with everything that libcrypto queued on this thread, which is thereby emptied.
    static func drained(_ call: String, _ fault: Fault = .library) -> Self {
        var queue: [UInt] = []
        while true {
            let code = ERR_get_error()
            if code == 0 { break }
            queue.append(code)
        }
        return Self(call: call, fault: fault, queue: queue)
    }

    /// Empties this thread's queue if another user of libcrypto in the process (a PKCS #11 module) left something there.
    static func forgetOthers() {
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }
}
