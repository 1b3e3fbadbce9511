// SPDX-License-Identifier: Apache-2.0
import KeyfobPKCS11

extension Template {
    /// A session key for AES-GCM that is private, sensitive and not extractable.
    static var aesSessionKey: Template {
        var template = Template()
        template.set(.secretKey)
        template.set(.aes)
        template.set(.valueLength, 32)
        template.set(.token, false)
        template.set(.private, true)
        template.set(.sensitive, true)
        template.set(.extractable, false)
        template.set(.encrypt, true)
        template.set(.decrypt, true)
        return template
    }
}

extension Session {
    /// Seals into an array.
    borrowing func seal(
        _ plaintext: [UInt8], key: ObjectHandle, iv: [UInt8], aad: [UInt8]
    ) throws(PKCS11Error) -> [UInt8] {
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: plaintext.count + 16, alignment: 8)
        defer { unsafe output.deallocate() }
        let count = unsafe try sealGCM(
            key: key, iv: iv.span.bytes, aad: aad.span.bytes, plaintext: plaintext.span.bytes, into: output)
        return unsafe Array(output[..<count])
    }
}
