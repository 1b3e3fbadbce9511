// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPKCS11

/// The attributes that a presence key is made with and must read back as (PKCS #11 v3.1 §4.9, §6.1).
enum PresenceKeyTemplate {
    static let modulusBits: UInt = 2048

    /// The public half, a session object: the store keeps what it says.
    static var publicKey: Template {
        var template = Template()
        template.set(.token, false)
        template.set(.encrypt, true)
        template.set(.verify, false)
        template.set(.wrap, false)
        template.set(.modulusBits, modulusBits)
        template.set(.publicExponent, [1, 0, 1])
        return template
    }

    /// The private half: decrypts, after the PIN, and does nothing else.
    ///
    /// Some tokens ask for no PIN before `C_UnwrapKey` and `C_DeriveKey`, and who may copy it could leave the question out.
    static func privateKey(_ name: KeyName) -> Template {
        var template = Template()
        template.set(.label, Array(name.label.utf8))
        template.set(.id, name.id)
        template.set(.token, true)
        template.set(.private, true)
        template.set(.sensitive, true)
        template.set(.extractable, false)
        template.set(.decrypt, true)
        for usage in [.sign, .signRecover, .unwrap, .derive] as [AttributeType] { template.set(usage, false) }
        template.set(.alwaysAuthenticate, true)
        template.set(.copyable, false)
        return template
    }

    /// Finds the private half of a name.
    static func search(_ name: KeyName) -> Template { ClassKeyTemplate.search(name, .privateKey) }

    /// The attribute that does not read back as it was set, or nil: all do.
    static func fault(of handle: ObjectHandle, in session: borrowing Session) throws(PKCS11Error) -> String? {
        let expected: [(String, AttributeType, Bool)] = [
            ("CKA_ALWAYS_AUTHENTICATE", .alwaysAuthenticate, true), ("CKA_SENSITIVE", .sensitive, true),
            ("CKA_EXTRACTABLE", .extractable, false), ("CKA_PRIVATE", .private, true), ("CKA_UNWRAP", .unwrap, false),
        ]
        for (name, attribute, value) in expected where try session.bool(of: handle, attribute) != value { return name }
        return nil
    }
}
