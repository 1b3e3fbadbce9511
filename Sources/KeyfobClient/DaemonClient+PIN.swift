// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
package import KeyfobModel
internal import KeyfobWire

/// Requests with PINs are never sent twice: each time may cost a try.
extension DaemonClient {
    package func changePIN(
        from old: borrowing SecretBytes, to new: borrowing SecretBytes, finalTry: Bool
    ) throws(KeychainError) {
        let pins = ChangePINRequest.PINs(pin: try copy(old, .changePIN), newPIN: try copy(new, .changePIN))
        try send(ChangePINRequest(pins, finalTry: finalTry))
    }

    package func changePINOnDevice(finalTry: Bool) throws(KeychainError) {
        try send(ChangePINRequest(nil, finalTry: finalTry))
    }

    package func unblock(
        _ new: borrowing SecretBytes, securityOfficerPIN: borrowing SecretBytes, destroying items: Int, finalTry: Bool
    ) throws(KeychainError) {
        let pins = UnblockRequest.PINs(
            securityOfficerPIN: try copy(securityOfficerPIN, .unblock), newPIN: try copy(new, .unblock))
        try send(UnblockRequest(pins, items: items, finalTry: finalTry))
    }

    package func unblockOnDevice(destroying items: Int, finalTry: Bool) throws(KeychainError) {
        try send(UnblockRequest(nil, items: items, finalTry: finalTry))
    }

    private func send(_ request: consuming ChangePINRequest) throws(KeychainError) {
        guard case .done = try ask(.changePIN, isRepeatable: false, .changePIN(request)) else {
            throw misfit(.changePIN)
        }
    }

    private func send(_ request: consuming UnblockRequest) throws(KeychainError) {
        guard case .done = try ask(.unblock, isRepeatable: false, .unblock(request)) else { throw misfit(.unblock) }
    }

    private func copy(
        _ pin: borrowing SecretBytes, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> SecretBytes {
        do throws(SecretMemoryError) { return try pin.copy() } catch { throw KeychainError(error, operation) }
    }
}
