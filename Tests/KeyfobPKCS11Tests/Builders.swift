// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport

extension Template {
    /// A sensitive AES key for encryption and decryption that is not extractable.
    static func aesKey(token: Bool = false, isPrivate: Bool = true, label: String? = nil) -> Template {
        var template = Template()
        template.set(.secretKey)
        template.set(.aes)
        template.set(.valueLength, 32)
        template.set(.token, token)
        template.set(.private, isPrivate)
        template.set(.sensitive, true)
        template.set(.extractable, false)
        template.set(.encrypt, true)
        template.set(.decrypt, true)
        if let label { template.set(.label, label) }
        return template
    }

    /// A template with one attribute.
    static func label(_ label: String) -> Template {
        var template = Template()
        template.set(.label, label)
        return template
    }
}

extension TokenInfo {
    /// What a token without peculiarities says.
    static func sample(
        label: String = "work", serial: String = "42", flags: TokenFlags = [], pin: ClosedRange<Int> = 4...8
    ) -> TokenInfo {
        TokenInfo(
            label: label, manufacturer: "maker", model: "m1", serial: serial, flags: flags,
            minPINLength: pin.lowerBound, maxPINLength: pin.upperBound)
    }
}

extension Session {
    /// Seals into an array.
    borrowing func seal(
        _ plaintext: [UInt8], key: ObjectHandle, iv: [UInt8] = [UInt8](repeating: 7, count: 12), aad: [UInt8] = [9]
    ) throws(PKCS11Error) -> [UInt8] {
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: plaintext.count + 16, alignment: 8)
        defer { unsafe output.deallocate() }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: iv.count, alignment: 8)
        defer { unsafe buffer.deallocate() }
        unsafe buffer.copyBytes(from: iv)
        let count = unsafe try sealGCM(
            key: key, iv: buffer, aad: aad.span.bytes, plaintext: plaintext.span.bytes, into: output)
        return unsafe Array(output[..<count])
    }

    /// Opens into an array.
    borrowing func open(
        _ sealed: [UInt8], key: ObjectHandle, iv: [UInt8] = [UInt8](repeating: 7, count: 12), aad: [UInt8] = [9]
    ) throws(PKCS11Error) -> [UInt8] {
        let opened = unsafe try openGCM(
            key: key, iv: iv.span.bytes, aad: aad.span.bytes, ciphertext: sealed.span.bytes)
        return opened.withBytes { $0.array }
    }
}

/// The error of a call that must fail; nil if it did not.
func failure(_ body: () throws -> Void) -> PKCS11Error? {
    do {
        try body()
        return nil
    } catch let error as PKCS11Error {
        return error
    } catch {
        return PKCS11Error(.malformed("\(error)"))
    }
}
