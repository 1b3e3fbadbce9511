// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit
internal import Glibc

/// The URI of a token (RFC 7512), parsed and formatted by p11-kit.
///
/// Only what names a token or its module counts; object attributes are dropped, slot attributes refused (slots are
/// renumbered). A `pin-value` is noticed, never kept.
package struct TokenURI: Hashable, Sendable {
    /// What the token's texts must be; nil matches all.
    package let label: String?
    package let manufacturer: String?
    package let model: String?
    package let serial: String?
    /// What the module's texts must be (`library-manufacturer`, `library-description`); nil matches all.
    package let libraryManufacturer: String?
    package let libraryDescription: String?
    /// The `module-path` attribute.
    package let modulePath: String?
    /// The `module-name` attribute.
    package let moduleName: String?
    /// The `pin-source` attribute, as it stands.
    package let pinSource: String?
    /// Whether the text held a `pin-value`, which should be refused: command lines and files are read by others.
    package let hasPINValue: Bool
    /// The URI in p11-kit's spelling, without a PIN.
    package let string: String

    /// Parses a URI.
    ///
    /// - Throws: `.invalidURI`.
    package init(_ string: String) throws(PKCS11Error) {
        guard !string.utf8.contains(0) else { throw PKCS11Error(.invalidURI(.notText)) }
        guard let uri = unsafe p11_kit_uri_new() else { throw PKCS11Error(.invalidURI(.syntax)) }
        defer { unsafe p11_kit_uri_free(uri) }
        let any = P11KitUriType(0xFFFF)
        let result = unsafe p11_kit_uri_parse(string, any, uri)
        guard result == P11_KIT_URI_OK.rawValue else { throw PKCS11Error(.invalidURI(Self.fault(result))) }
        guard unsafe p11_kit_uri_any_unrecognized(uri) == 0 else { throw PKCS11Error(.invalidURI(.unknownAttribute)) }
        guard unsafe !Self.namesSlot(uri) else { throw PKCS11Error(.invalidURI(.slotAttribute)) }
        unsafe self.init(parsed: unsafe uri)
    }

    /// The URI of a token, complete: all four texts, and the module's path if one is given.
    package static func naming(_ info: TokenInfo, modulePath: String?) -> TokenURI {
        TokenURI(
            label: info.label, manufacturer: info.manufacturer, model: info.model, serial: info.serial,
            modulePath: modulePath)
    }

    /// Whether the token is one the URI names: each text that the URI has is equal to the token's.
    package func matches(_ info: TokenInfo) -> Bool {
        (label ?? info.label) == info.label && (manufacturer ?? info.manufacturer) == info.manufacturer
            && (model ?? info.model) == info.model && (serial ?? info.serial) == info.serial
    }

    /// Whether the module is one the URI allows, by its own texts; `library-version` is not looked at.
    package func matches(_ info: ModuleInfo) -> Bool {
        (libraryManufacturer ?? info.manufacturer) == info.manufacturer
            && (libraryDescription ?? info.description) == info.description
    }

    package static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.string == rhs.string && lhs.hasPINValue == rhs.hasPINValue
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(string)
    }
}

// MARK: - p11-kit

extension TokenURI {
    private init(label: String, manufacturer: String, model: String, serial: String, modulePath: String?) {
        self.label = label
        self.manufacturer = manufacturer
        self.model = model
        self.serial = serial
        self.modulePath = modulePath
        libraryManufacturer = nil
        libraryDescription = nil
        moduleName = nil
        pinSource = nil
        hasPINValue = false
        string = Self.spelling(
            path: [("model", model), ("manufacturer", manufacturer), ("serial", serial), ("token", label)],
            query: [("module-path", modulePath)])
    }

    private init(parsed uri: OpaquePointer) {
        hasPINValue = unsafe p11_kit_uri_get_pin_value(uri) != nil
        pinSource = unsafe Self.borrowed(p11_kit_uri_get_pin_source(uri))
        modulePath = unsafe Self.borrowed(p11_kit_uri_get_module_path(uri))
        moduleName = unsafe Self.borrowed(p11_kit_uri_get_module_name(uri))
        let module = unsafe p11_kit_uri_get_module_info(uri)
        libraryManufacturer = unsafe module.flatMap { unsafe Self.field($0.pointee.manufacturerID) }
        libraryDescription = unsafe module.flatMap { unsafe Self.field($0.pointee.libraryDescription) }
        let info = unsafe p11_kit_uri_get_token_info(uri)
        label = unsafe info.flatMap { unsafe Self.field($0.pointee.label) }
        manufacturer = unsafe info.flatMap { unsafe Self.field($0.pointee.manufacturerID) }
        model = unsafe info.flatMap { unsafe Self.field($0.pointee.model) }
        serial = unsafe info.flatMap { unsafe Self.field($0.pointee.serialNumber) }
        string = Self.spelling(
            path: [
                ("library-description", libraryDescription), ("library-manufacturer", libraryManufacturer),
                ("model", model), ("manufacturer", manufacturer), ("serial", serial), ("token", label),
            ],
            query: [("pin-source", pinSource), ("module-name", moduleName), ("module-path", modulePath)])
    }

    /// p11-kit leaves the fields that a URI lacks zero.
    private static func field<Field>(_ field: Field) -> String? {
        unsafe withUnsafeBytes(of: field) { unsafe $0.first } == 0 ? nil : text(field)
    }

    private static func borrowed(_ string: UnsafePointer<CChar>?) -> String? {
        unsafe string.map { unsafe String(cString: $0) }
    }

    private static func namesSlot(_ uri: OpaquePointer) -> Bool {
        if unsafe p11_kit_uri_get_slot_id(uri) != .max { return true }
        guard let info = unsafe p11_kit_uri_get_slot_info(uri) else { return false }
        return unsafe field(info.pointee.slotDescription) != nil || field(info.pointee.manufacturerID) != nil
    }

    private static func fault(_ result: Int32) -> PKCS11Error.URIFault {
        switch result {
        case P11_KIT_URI_BAD_SCHEME.rawValue: .scheme
        case P11_KIT_URI_BAD_ENCODING.rawValue: .encoding
        case P11_KIT_URI_BAD_VERSION.rawValue: .version
        default: .syntax
        }
    }

    /// RFC 7512 §2.3: path attributes joined by `;`, query attributes by `&`, percent-encoded.
    private static func spelling(path: [(String, String?)], query: [(String, String?)]) -> String {
        let segments = path.compactMap { name, value in value.map { "\(name)=\(encoded($0))" } }
        let questions = query.compactMap { name, value in value.map { "\(name)=\(encoded($0, also: "/"))" } }
        let question = questions.isEmpty ? "" : "?" + questions.joined(separator: "&")
        return "pkcs11:" + segments.joined(separator: ";") + question
    }

    private static func encoded(_ value: String, also: String = "") -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~:[]@!$'()*+,=\(also)".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in value.utf8 {
            if plain.contains(byte) {
                bytes.append(byte)
            } else {
                bytes.append(contentsOf: [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
