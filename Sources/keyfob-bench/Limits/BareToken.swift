// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobBench

/// The token without Keyfob: one session, one session key, one message of 48 bytes, called from C.
@safe final class BareToken {
    private let token: OpaquePointer

    /// - Parameters:
    ///   - isManaged: calls go through p11-kit, else straight into the module.
    ///   - isPrivate: the key is a private object, as the class keys that hang on a login are.
    init(modulePath: String, label: String, isManaged: Bool, isPrivate: Bool) throws(BenchFailure) {
        var function: UnsafePointer<CChar>?
        var value: UInt = 0
        let opened = unsafe keyfob_bare_token_open(
            modulePath, label, isManaged ? KEYFOB_BARE_P11_KIT : KEYFOB_BARE_MODULE, isPrivate ? 1 : 0, &function,
            &value)
        guard let opened = unsafe opened else {
            let name = unsafe function.map { unsafe String(cString: $0) } ?? "calloc"
            throw BenchFailure("\(name) on the bare token: 0x\(String(value, radix: 16))")
        }
        unsafe token = opened
    }

    deinit {
        unsafe keyfob_bare_token_close(token)
    }

    /// `C_DecryptInit` and `C_Decrypt`.
    func decrypt() throws(BenchFailure) {
        try Self.check("C_Decrypt", unsafe keyfob_bare_token_decrypt(token))
    }

    /// `C_EncryptInit` and `C_Encrypt`.
    func encrypt() throws(BenchFailure) {
        try Self.check("C_Encrypt", unsafe keyfob_bare_token_encrypt(token))
    }

    private static func check(_ function: String, _ value: UInt) throws(BenchFailure) {
        guard value == 0 else { throw BenchFailure("\(function) on the bare token: 0x\(String(value, radix: 16))") }
    }
}
