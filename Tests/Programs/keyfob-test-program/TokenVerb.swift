// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPKCS11
internal import KeyfobPlatform

/// Works with a token, as a program does that only knows its URI: logs in, makes an AES key and seals under it.
enum TokenVerb {
    /// Writes `LABEL opened` if what was sealed came back.
    static func run(_ uri: String, pinFile: String) throws {
        let token = try Token.find(TokenURI(uri))
        try token.login(SecretFile.read(pinFile))
        let session = try token.openSession(readWrite: true)
        var template = Template()
        template.set(.secretKey)
        template.set(.aes)
        template.set(.valueLength, 32)
        template.set(.token, true)
        template.set(.private, true)
        template.set(.sensitive, true)
        template.set(.encrypt, true)
        template.set(.decrypt, true)
        let key = try session.generateKey(.aesKeyGeneration, template)
        let plaintext: [UInt8] = Array("sealed".utf8)
        let iv = [UInt8](repeating: 7, count: 12)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 12, alignment: 8)
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: plaintext.count + 16, alignment: 8)
        defer {
            unsafe buffer.deallocate()
            unsafe output.deallocate()
        }
        unsafe buffer.copyBytes(from: iv)
        let count = unsafe try session.sealGCM(
            key: key, iv: buffer, aad: [UInt8]().span.bytes, plaintext: plaintext.span.bytes, into: output)
        let sealed = unsafe Array(output[..<count])
        let opened = unsafe try session.openGCM(
            key: key, iv: iv.span.bytes, aad: [UInt8]().span.bytes, ciphertext: sealed.span.bytes)
        Answer.line("\(token.identity.label) \(opened.count == plaintext.count ? "opened" : "damaged")")
    }
}
