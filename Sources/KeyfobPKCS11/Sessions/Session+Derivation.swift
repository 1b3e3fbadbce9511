// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit
package import KeyfobMemory

// Deriving keys: PKCS #11 v3.1 §5.18.5.

extension Session {
    /// Makes a key of another one (`C_DeriveKey`).
    package func deriveKey(
        _ mechanism: Mechanism, base: ObjectHandle, _ template: Template
    ) throws(PKCS11Error) -> ObjectHandle {
        var handle: UInt = 0
        try unsafe box.check(.deriveKey) { list in
            unsafe mechanism.withMechanism { mechanism in
                unsafe template.withAttributes {
                    unsafe list.pointee.C_DeriveKey?(box.handle, mechanism, box.number(of: base), $0, $1, &handle)
                }
            }
        }
        return box.object(handle)
    }

    /// The value of a key that is derived for this one reading: `C_DeriveKey`, `C_GetAttributeValue`, `C_DestroyObject`.
    ///
    /// No object is left: one that the token does not destroy spoils the session, which is then closed by its owner, and
    /// the object goes with it.
    ///
    /// - Parameters:
    ///   - template: of a session object whose value can be read.
    ///   - size: how many bytes the value has.
    /// - Throws: also `.malformed` if the value cannot be read or has another size, `.memory`.
    package func derivedSecret(
        _ mechanism: Mechanism, base: ObjectHandle, _ template: Template, size: Int
    ) throws(PKCS11Error) -> SecretBytes {
        let object = try deriveKey(mechanism, base: base, template)
        defer {
            let value = unsafe box.call(.destroyObject) {
                unsafe $0.pointee.C_DestroyObject?(box.handle, box.number(of: object))
            }
            if value != .ok { box.spoil(value) }
        }
        guard let secret = try secret(of: object, .value, atMost: size) else {
            throw box.line.error(.malformed("the value of a derived key cannot be read"))
        }
        guard secret.count == size else {
            throw box.line.error(.malformed("a derived key of \(secret.count) bytes"))
        }
        return secret
    }
}
