// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security
internal import Testing

/// Keys and certificates say that they are not implemented, and do nothing.
@Suite struct UnimplementedTests {
    @Test func `Making a key fails with errSecUnimplemented`() {
        var error: Unmanaged<CFError>?
        let random = unsafe SecKeyCreateRandomKey([kSecAttrKeyType: kSecAttrKeyTypeEC] as CFDictionary, &error)
        let randomCode = unsafe error?.takeRetainedValue().code
        #expect(random == nil && randomCode == Int(errSecUnimplemented))
        let given = unsafe SecKeyCreateWithData(NSData(), [:] as CFDictionary, &error)
        let givenCode = unsafe error?.takeRetainedValue().code
        #expect(given == nil && givenCode == Int(errSecUnimplemented))
    }

    @Test func `Making a certificate gives none`() {
        #expect(SecCertificateCreateWithData(nil, NSData(data: Data([0x30]))) == nil)
    }

    @Test func `Importing an identity fails with errSecUnimplemented`() {
        var items: CFArray?
        let options = [kSecImportExportPassphrase: "p"] as CFDictionary
        let status = unsafe SecPKCS12Import(NSData(), options, &items)
        #expect(status == errSecUnimplemented && items == nil)
    }
}
