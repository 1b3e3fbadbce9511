// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory

extension SealingKey {
    /// Whether a fresh secret that it seals is opened to what it was; costs a seal and an open.
    ///
    /// For a suite with a public half it proves that the half which the store keeps belongs to the token's key: what is
    /// sealed to another one does not open here.
    ///
    /// A token that refuses to decrypt what is sealed to another half (RSA) cannot be told from a broken one: that is thrown.
    ///
    /// - Throws: what the token or the host failed with; a seal that is not authentic is no failure.
    func opensOwnSeal() throws(SealError) -> Bool {
        let secret = try SealError.host { () throws(LibcryptoError) in try RandomBytes.secret(32) }
        var blob = [UInt8](repeating: 0, count: sealedSize(of: secret.count))
        let associatedData = Array("keyfob proof 1".utf8)
        try seal(secret, associatedData, into: &blob, at: 0)
        let opened: SecretBytes
        do throws(SealError) { opened = try unsafe open(blob.span.bytes, associatedData) } catch {
            guard case .notAuthentic = error else { throw error }
            return false
        }
        return opened.withBytes { opened in secret.withBytes { ConstantTime.equal(opened, $0) } }
    }
}
