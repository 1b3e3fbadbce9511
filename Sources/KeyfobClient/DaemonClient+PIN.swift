// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
package import KeyfobModel
internal import KeyfobWire

/// Requests with PINs are never sent twice: each time may cost a try.
extension DaemonClient {
    package func changePIN(
        from old: borrowing SecretBytes, to new: borrowing SecretBytes, finalTry: Bool
    ) throws(KeychainError) {
        let request = ChangePINRequest(
            pin: try copy(old, .changePIN), newPIN: try copy(new, .changePIN), finalTry: finalTry)
        guard case .done = try ask(.changePIN, isRepeatable: false, .changePIN(request)) else {
            throw misfit(.changePIN)
        }
    }

    package func unblock(
        _ new: borrowing SecretBytes, securityOfficerPIN: borrowing SecretBytes, destroying items: Int, finalTry: Bool
    ) throws(KeychainError) {
        let request = UnblockRequest(
            securityOfficerPIN: try copy(securityOfficerPIN, .unblock), newPIN: try copy(new, .unblock), items: items,
            finalTry: finalTry)
        guard case .done = try ask(.unblock, isRepeatable: false, .unblock(request)) else { throw misfit(.unblock) }
    }

    private func copy(
        _ pin: borrowing SecretBytes, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> SecretBytes {
        do throws(SecretMemoryError) { return try pin.copy() } catch { throw KeychainError(error, operation) }
    }
}
