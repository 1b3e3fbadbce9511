// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit

// Key management: PKCS #11 v3.1 §5.18.

extension Session {
    /// Makes a secret key (`C_GenerateKey`).
    package func generateKey(_ mechanism: Mechanism, _ template: Template) throws(PKCS11Error) -> ObjectHandle {
        var handle: UInt = 0
        try unsafe box.check(.generateKey) { list in
            unsafe mechanism.withMechanism { mechanism in
                unsafe template.withAttributes {
                    unsafe list.pointee.C_GenerateKey?(box.handle, mechanism, $0, $1, &handle)
                }
            }
        }
        return box.object(handle)
    }

    /// Makes a key pair (`C_GenerateKeyPair`).
    package func generateKeyPair(
        _ mechanism: Mechanism, publicKey: Template, privateKey: Template
    ) throws(PKCS11Error) -> (publicKey: ObjectHandle, privateKey: ObjectHandle) {
        var publicHandle: UInt = 0
        var privateHandle: UInt = 0
        try unsafe box.check(.generateKeyPair) { list in
            unsafe mechanism.withMechanism { mechanism in
                unsafe publicKey.withAttributes { publicAttributes, publicCount in
                    unsafe privateKey.withAttributes {
                        unsafe list.pointee.C_GenerateKeyPair?(
                            box.handle, mechanism, publicAttributes, publicCount, $0, $1, &publicHandle, &privateHandle)
                    }
                }
            }
        }
        return (box.object(publicHandle), box.object(privateHandle))
    }

    /// Wraps a key (`C_WrapKey`).
    ///
    /// The bytes are sealed and no secret.
    package func wrapKey(
        _ mechanism: Mechanism, wrapping: ObjectHandle, key: ObjectHandle
    ) throws(PKCS11Error) -> [UInt8] {
        // Large enough for a wrapped RSA-8192 key, so that no length is asked and no call repeated.
        var buffer = [UInt8](repeating: 0, count: 8192)
        var count = UInt(buffer.count)
        try unsafe box.check(.wrapKey) { list in
            unsafe mechanism.withMechanism {
                unsafe list.pointee.C_WrapKey?(
                    box.handle, $0, box.number(of: wrapping), box.number(of: key), &buffer, &count)
            }
        }
        // One that claims all of the buffer was not set by the module.
        guard count < buffer.count else {
            throw box.line.error(.malformed("C_WrapKey returned a length that cannot be"))
        }
        return Array(buffer[..<Int(count)])
    }

    /// Makes a key from wrapped bytes (`C_UnwrapKey`).
    ///
    /// Read the attributes back: some tokens make another key than the template says. SoftHSM keeps no `CKA_VALUE_LEN`
    /// of such a key (it reads 0), so only using the key tells its length.
    package func unwrapKey(
        _ mechanism: Mechanism, unwrapping: ObjectHandle, _ wrapped: [UInt8], _ template: Template
    ) throws(PKCS11Error) -> ObjectHandle {
        var handle: UInt = 0
        var wrapped = wrapped
        let count = UInt(wrapped.count)
        try unsafe box.check(.unwrapKey) { list in
            unsafe mechanism.withMechanism { mechanism in
                unsafe template.withAttributes {
                    unsafe list.pointee.C_UnwrapKey?(
                        box.handle, mechanism, box.number(of: unwrapping), &wrapped, count, $0, $1, &handle)
                }
            }
        }
        return box.object(handle)
    }

    /// Random bytes of the token's generator (`C_GenerateRandom`, §5.19).
    package func generateRandom(_ count: Int) throws(PKCS11Error) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard count > 0 else { return bytes }
        try unsafe box.check(.generateRandom) {
            unsafe $0.pointee.C_GenerateRandom?(box.handle, &bytes, UInt(count))
        }
        return bytes
    }
}
