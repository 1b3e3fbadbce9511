// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobLibcrypto
internal import KeyfobMemory

/// One `EVP_PKEY` on P-256; freed, and by that wiped, at the end of its owner.
@safe struct ECKey: ~Copyable {
    private let key: OpaquePointer

    private init(_ key: OpaquePointer) {
        unsafe self.key = key
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// A fresh key pair.
    ///
    /// - Throws: `.library`.
    static func generate() throws(LibcryptoError) -> ECKey {
        let context = try Context.named()
        guard unsafe EVP_PKEY_keygen_init(context.pointer) == 1 else { throw .drained("EVP_PKEY_keygen_init") }
        var parameters = LibcryptoParameters()
        parameters.add("group", text: group)
        guard unsafe EVP_PKEY_CTX_set_params(context.pointer, parameters.ended) == 1 else {
            throw .drained("EVP_PKEY_CTX_set_params")
        }
        var made: OpaquePointer?
        guard unsafe EVP_PKEY_generate(context.pointer, &made) == 1, let made = unsafe made else {
            throw .drained("EVP_PKEY_generate")
        }
        return unsafe ECKey(made)
    }

    /// The key of an encoded point; nil if libcrypto says that it is no point of the curve, or infinity.
    ///
    /// - Throws: `.library`.
    static func publicKey(_ point: [UInt8]) throws(LibcryptoError) -> ECKey? {
        let key: ECKey
        do throws(LibcryptoError) {
            key = unsafe try ECKey(
                point.span.bytes.withUnsafeBytes { (point) throws(LibcryptoError) in
                    var parameters = LibcryptoParameters()
                    parameters.add("group", text: group)
                    unsafe parameters.add("pub", bytes: point)
                    return unsafe try make(publicKeySelection, parameters)
                })
        } catch {
            guard error.queue.contains(where: { ERR_GET_LIB($0) == ERR_LIB_EC }) else { throw error }
            return nil
        }
        let context = try key.context()
        // The curve has cofactor 1: what lies on it and is not infinity is of the right order.
        guard unsafe EVP_PKEY_public_check_quick(context.pointer) == 1 else {
            LibcryptoError.forgetOthers()
            return nil
        }
        return key
    }

    /// The key pair of a private number, big-endian and as long as the order of the curve, and its encoded point.
    ///
    /// - Throws: `.library`, `.memory`.
    static func pair(_ scalar: borrowing SecretBytes, _ point: [UInt8]) throws(LibcryptoError) -> ECKey {
        var native: SecretBytes
        do { native = try scalar.copy() } catch {
            throw LibcryptoError(call: error.name, fault: .memory(error))
        }
        return unsafe try ECKey(
            native.withUnsafeMutableBytes { (number) throws(LibcryptoError) in
                var number = unsafe number.bindMemory(to: UInt8.self)
                if 1.littleEndian == 1 { unsafe number.reverse() }
                return unsafe try point.span.bytes.withUnsafeBytes { (point) throws(LibcryptoError) in
                    var parameters = LibcryptoParameters()
                    parameters.add("group", text: group)
                    unsafe parameters.add("pub", bytes: point)
                    unsafe parameters.add("priv", large: number)
                    return unsafe try make(keyPairSelection, parameters)
                }
            })
    }

    /// The encoded point of the public half.
    func encodedPoint() throws(LibcryptoError) -> [UInt8] {
        var point = [UInt8](repeating: 0, count: P256PublicKey.pointSize)
        var count = 0
        let done = unsafe EVP_PKEY_get_octet_string_param(key, "encoded-pub-key", &point, point.count, &count)
        guard done == 1, count == point.count, point[0] == P256PublicKey.uncompressed else {
            throw .drained("EVP_PKEY_get_octet_string_param")
        }
        return point
    }

    /// What this pair and the holder of the other one share: the x coordinate, 32 bytes (NIST SP 800-56A §5.7.1.2).
    ///
    /// - Throws: `.library`, `.memory`.
    func agree(with peer: borrowing ECKey) throws(LibcryptoError) -> SecretBytes {
        let context = try context()
        guard unsafe EVP_PKEY_derive_init_ex(context.pointer, nil) == 1 else {
            throw .drained("EVP_PKEY_derive_init_ex")
        }
        // The peer was checked when it was made.
        guard unsafe EVP_PKEY_derive_set_peer_ex(context.pointer, peer.key, 0) == 1 else {
            throw .drained("EVP_PKEY_derive_set_peer_ex")
        }
        var secret = try SecretBytes.zeros(P256PublicKey.secretSize)
        var count = secret.count
        let done = unsafe secret.withUnsafeMutableBytes { secret in
            unsafe EVP_PKEY_derive(context.pointer, secret.bindMemory(to: UInt8.self).baseAddress, &count)
        }
        guard done == 1, count == secret.count else { throw .drained("EVP_PKEY_derive") }
        return secret
    }

    // MARK: - Private

    private static let group: StaticString = "prime256v1"
    /// OSSL_KEYMGMT_SELECT_ALL_PARAMETERS and _PUBLIC_KEY: EVP_PKEY_PUBLIC_KEY, a macro.
    private static let publicKeySelection: Int32 = 0x86
    /// The same and _PRIVATE_KEY: EVP_PKEY_KEYPAIR.
    private static let keyPairSelection: Int32 = 0x87

    /// One `EVP_PKEY_CTX`.
    @safe private struct Context: ~Copyable {
        let pointer: OpaquePointer

        init(_ pointer: OpaquePointer) {
            unsafe self.pointer = pointer
        }

        deinit {
            unsafe EVP_PKEY_CTX_free(pointer)
        }

        static func named() throws(LibcryptoError) -> Context {
            LibcryptoError.forgetOthers()
            guard let made = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else {
                throw .drained("EVP_PKEY_CTX_new_from_name")
            }
            return unsafe Context(made)
        }
    }

    private func context() throws(LibcryptoError) -> Context {
        LibcryptoError.forgetOthers()
        guard let made = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
            throw .drained("EVP_PKEY_CTX_new_from_pkey")
        }
        return unsafe Context(made)
    }

    private static func make(
        _ selection: Int32, _ parameters: LibcryptoParameters
    ) throws(LibcryptoError) -> OpaquePointer {
        let context = try Context.named()
        guard unsafe EVP_PKEY_fromdata_init(context.pointer) == 1 else { throw .drained("EVP_PKEY_fromdata_init") }
        var made: OpaquePointer?
        var list = unsafe parameters.ended
        guard unsafe EVP_PKEY_fromdata(context.pointer, &made, selection, &list) == 1, let made = unsafe made else {
            throw .drained("EVP_PKEY_fromdata")
        }
        return unsafe made
    }
}
