// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit
package import KeyfobMemory

// Encryption and decryption: PKCS #11 v3.1 §5.8, §5.9. Single-part only: multi-part releases what was not verified.

extension Session {
    /// Encrypts in one part (`C_EncryptInit`, `C_Encrypt`).
    package func encrypt(
        _ mechanism: Mechanism, key: ObjectHandle, _ plaintext: RawSpan
    ) throws(PKCS11Error) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: plaintext.byteCount + Self.slack)
        try unsafe box.check(.encryptInit) { list in
            unsafe mechanism.withMechanism { unsafe list.pointee.C_EncryptInit?(box.handle, $0, box.number(of: key)) }
        }
        let result = unsafe output.withUnsafeMutableBytes { output in
            Result { () throws(PKCS11Error) in unsafe try run(.encrypt, plaintext, into: output) }
        }
        let count = try result.get()
        guard count < output.count else { throw wrongLength(.encrypt) }
        output.removeSubrange(count...)
        return output
    }

    /// Decrypts in one part (`C_DecryptInit`, `C_Decrypt`).
    ///
    /// A damaged ciphertext is `CKR_GENERAL_ERROR` on some tokens: open a known sentinel with the same key to tell it
    /// from a broken token.
    package func decrypt(
        _ mechanism: Mechanism, key: ObjectHandle, _ ciphertext: RawSpan
    ) throws(PKCS11Error) -> SecretBytes {
        try unsafe box.check(.decryptInit) { list in
            unsafe mechanism.withMechanism { unsafe list.pointee.C_DecryptInit?(box.handle, $0, box.number(of: key)) }
        }
        return try finishDecryption(mechanism, ciphertext)
    }

    /// Decrypts with a key that asks for the PIN before each use (`CKA_ALWAYS_AUTHENTICATE`): `C_DecryptInit`,
    /// `C_Login(CKU_CONTEXT_SPECIFIC)`, `C_Decrypt`.
    ///
    /// The PIN reaches the token once. If it is refused the session still has its decryption armed and counts as
    /// spoiled.
    ///
    /// - Parameter pin: made UTF-8 in normal form C, as for a login.
    /// - Throws: `.pinNotTried` if it holds a NUL; what the functions returned.
    package func decrypt(
        _ mechanism: Mechanism, key: ObjectHandle, _ ciphertext: RawSpan, pin: borrowing SecretBytes
    ) throws(PKCS11Error) -> SecretBytes {
        try PINNormalForm.with(pin, on: box.line) { (pin) throws(PKCS11Error) in
            unsafe try pin.withUnsafeBytes { (pin) throws(PKCS11Error) in
                unsafe try decrypt(mechanism, key, ciphertext, pin.mutableBytes, UInt(pin.count))
            }
        }
    }

    /// The same with a PIN that is entered on the device (`CKF_PROTECTED_AUTHENTICATION_PATH`).
    package func decryptProtected(
        _ mechanism: Mechanism, key: ObjectHandle, _ ciphertext: RawSpan
    ) throws(PKCS11Error) -> SecretBytes {
        unsafe try decrypt(mechanism, key, ciphertext, nil, 0)
    }

    private func decrypt(
        _ mechanism: Mechanism, _ key: ObjectHandle, _ ciphertext: RawSpan, _ pin: UnsafeMutablePointer<UInt8>?,
        _ pinCount: UInt
    ) throws(PKCS11Error) -> SecretBytes {
        try unsafe box.check(.decryptInit) { list in
            unsafe mechanism.withMechanism { unsafe list.pointee.C_DecryptInit?(box.handle, $0, box.number(of: key)) }
        }
        let contextSpecific: UInt = 2
        let value = unsafe box.call(.login) {
            unsafe $0.pointee.C_Login?(box.handle, contextSpecific, pin, pinCount)
        }
        guard value == .ok else {
            box.spoil(.operationActive)
            throw box.line.error(.login, value)
        }
        return try finishDecryption(mechanism, ciphertext)
    }

    /// Signs, or computes a MAC, in one part (`C_SignInit`, `C_Sign`, §5.13).
    package func sign(
        _ mechanism: Mechanism, key: ObjectHandle, _ data: RawSpan
    ) throws(PKCS11Error) -> SecretBytes {
        try unsafe box.check(.signInit) { list in
            unsafe mechanism.withMechanism { unsafe list.pointee.C_SignInit?(box.handle, $0, box.number(of: key)) }
        }
        return unsafe try secret(capacity: Self.slack) { (output) throws(PKCS11Error) in
            let count = unsafe try run(.sign, data, into: output)
            guard count < output.count else { throw wrongLength(.sign) }
            return count
        }
    }

    // MARK: - AES-GCM, the hot path

    /// Seals with AES-GCM and a 128-bit tag, without allocating.
    ///
    /// - Parameters:
    ///   - iv: 12 bytes, never used twice with one key. Some modules write their own into it; it is then that which
    ///     opens.
    ///   - output: gets ciphertext and tag; at least 16 bytes longer than the plaintext.
    /// - Returns: the number of bytes written, always 16 more than the plaintext has.
    package func sealGCM(
        key: ObjectHandle, iv: UnsafeMutableRawBufferPointer, aad: RawSpan, plaintext: RawSpan,
        into output: UnsafeMutableRawBufferPointer
    ) throws(PKCS11Error) -> Int {
        precondition(iv.count == 12, "the IV of AES-GCM has 96 bits")
        precondition(output.count >= plaintext.byteCount + Self.tagSize, "no room for the tag")
        unsafe try armGCM(.encryptInit, key, RawSpan(_unsafeBytes: UnsafeRawBufferPointer(iv)), aad)
        let count = unsafe try run(.encrypt, plaintext, into: output)
        guard count == plaintext.byteCount + Self.tagSize else { throw wrongLength(.encrypt) }
        return count
    }

    /// Opens what `sealGCM` made.
    ///
    /// A wrong tag is `CKR_ENCRYPTED_DATA_INVALID` or `CKR_GENERAL_ERROR`, by token.
    package func openGCM(
        key: ObjectHandle, iv: RawSpan, aad: RawSpan, ciphertext: RawSpan
    ) throws(PKCS11Error) -> SecretBytes {
        unsafe try secret(capacity: ciphertext.byteCount + Self.tagSize) { (output) throws(PKCS11Error) in
            unsafe try openGCM(key: key, iv: iv, aad: aad, ciphertext: ciphertext, into: output)
        }
    }

    /// Opens what `sealGCM` made, into memory of the caller, who wipes it (also after a throw).
    ///
    /// - Parameter output: at least as long as the ciphertext with its tag: some tokens want the room.
    /// - Returns: the number of bytes of plaintext.
    package func openGCM(
        key: ObjectHandle, iv: RawSpan, aad: RawSpan, ciphertext: RawSpan, into output: UnsafeMutableRawBufferPointer
    ) throws(PKCS11Error) -> Int {
        precondition(output.count >= ciphertext.byteCount, "some tokens want room for the tag")
        guard ciphertext.byteCount >= Self.tagSize else {
            throw box.line.error(.decrypt, .encryptedDataLenRange)
        }
        try armGCM(.decryptInit, key, iv, aad)
        let count = unsafe try run(.decrypt, ciphertext, into: output)
        guard count == ciphertext.byteCount - Self.tagSize else { throw wrongLength(.decrypt) }
        return count
    }

    // MARK: - Private

    private static let tagSize = 16
    /// More room than a tag and a block, or an RSA-8192 block, ever takes: a length that claims all of it was not set by
    /// the module, as tpm2-pkcs11 does with the ciphertext of an RSA public key.
    private static let slack = 1040

    private func armGCM(
        _ function: CryptokiFunction, _ key: ObjectHandle, _ iv: RawSpan, _ aad: RawSpan
    ) throws(PKCS11Error) {
        try unsafe box.check(function) { list in
            unsafe iv.withUnsafeBytes { iv in
                unsafe aad.withUnsafeBytes { aad in
                    unsafe withGCMMechanism(iv: iv, aad: aad, tagBits: 128, box.gcm) { mechanism in
                        function == .encryptInit
                            ? unsafe list.pointee.C_EncryptInit?(box.handle, mechanism, box.number(of: key))
                            : unsafe list.pointee.C_DecryptInit?(box.handle, mechanism, box.number(of: key))
                    }
                }
            }
        }
    }

    private func finishDecryption(
        _ mechanism: Mechanism, _ ciphertext: RawSpan
    ) throws(PKCS11Error) -> SecretBytes {
        // RSA: as long as the modulus and no longer, which some modules hold against it. Others: room for a tag more.
        let room = mechanism.type == .rsaOAEP ? 0 : Self.tagSize
        return unsafe try secret(capacity: ciphertext.byteCount + room) { (output) throws(PKCS11Error) in
            let count = unsafe try run(.decrypt, ciphertext, into: output)
            // No plaintext is longer than its ciphertext: the module left the length as it was.
            guard count < output.count else { throw wrongLength(.decrypt) }
            return count
        }
    }

    /// The second call of an operation.
    ///
    /// No length is asked beforehand and nothing repeated afterwards.
    private func run(
        _ function: CryptokiFunction, _ input: RawSpan, into output: UnsafeMutableRawBufferPointer
    ) throws(PKCS11Error) -> Int {
        var count = UInt(output.count)
        let size = UInt(input.byteCount)
        let value = unsafe box.call(function) { list in
            unsafe input.withUnsafeBytes { input in
                switch function {
                case .encrypt:
                    unsafe list.pointee.C_Encrypt?(box.handle, input.mutableBytes, size, output.bytes, &count)
                case .decrypt:
                    unsafe list.pointee.C_Decrypt?(box.handle, input.mutableBytes, size, output.bytes, &count)
                default:
                    unsafe list.pointee.C_Sign?(box.handle, input.mutableBytes, size, output.bytes, &count)
                }
            }
        }
        guard value == .ok else {
            // Whether the operation is over depends on the module.
            box.spoil(value)
            throw box.line.error(function, value)
        }
        guard count <= output.count else { throw wrongLength(function) }
        return Int(count)
    }

    private func wrongLength(_ function: CryptokiFunction) -> PKCS11Error {
        box.spoil(.generalError)
        return box.line.error(.malformed("\(function.name) returned a length that cannot be"))
    }

    private func secret(
        capacity: Int, _ body: (UnsafeMutableRawBufferPointer) throws(PKCS11Error) -> Int
    ) throws(PKCS11Error) -> SecretBytes {
        do throws(SecretMemoryOr<PKCS11Error>) {
            return unsafe try SecretBytes.filling(capacity: capacity, body)
        } catch {
            switch error {
            case .memory(let fault):
                // The operation is armed and will not be finished.
                box.spoil(.hostMemory)
                throw box.line.error(.memory(fault))
            case .other(let fault): throw fault
            }
        }
    }
}
