// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

/// Names of a keychain's objects on the token.
///
/// `CKA_LABEL` is `keyfob/<UUID>/<class code>/<generation>`. `CKA_ID` is 24 bytes: the UUID, four bytes of class
/// (the accessibility's number, 255 for the wrapping key, 254 for the presence key) and four of generation, both big-endian.
struct KeyName: Hashable, Sendable {
    let label: String
    let id: [UInt8]

    /// The class key's object.
    init(_ key: ClassKeyID, of keychain: ItemUUID) {
        self.init(keychain, code: key.accessibility.code, number: UInt32(key.accessibility.rawValue), key.generation)
    }

    /// The wrapping key of the after-first-unlock classes.
    init(wrappingKeyOf keychain: ItemUUID, generation: UInt32) {
        self.init(keychain, code: "wrap", number: 255, generation)
    }

    /// The key that asks for the PIN at each use.
    init(presenceKeyOf keychain: ItemUUID, generation: UInt32) {
        self.init(keychain, code: "presence", number: 254, generation)
    }

    /// The generation of the class key whose `CKA_ID` that is; nil if it is no key of the class and keychain.
    static func generation(of id: [UInt8], _ accessibility: Accessibility, in keychain: ItemUUID) -> UInt32? {
        let start = keychain.bytes + bigEndian(UInt32(accessibility.rawValue))
        guard id.count == start.count + 4, id.starts(with: start) else { return nil }
        return id.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    private init(_ keychain: ItemUUID, code: String, number: UInt32, _ generation: UInt32) {
        label = "keyfob/\(keychain.description)/\(code)/\(generation)"
        id = keychain.bytes + Self.bigEndian(number) + Self.bigEndian(generation)
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
