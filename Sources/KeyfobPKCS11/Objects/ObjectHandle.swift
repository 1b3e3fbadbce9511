// SPDX-License-Identifier: Apache-2.0

/// The handle of an object (`CK_OBJECT_HANDLE`): shared by the sessions of a process on a token, stale after a logout
/// or a lost session on some tokens.
///
/// Never stored. One of before a new start of the module is no handle any more, although the module may have given its
/// number to another object: sessions answer for it with `CKR_OBJECT_HANDLE_INVALID` or what the token says to 0.
package struct ObjectHandle: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt
    /// The start of the module that it belongs to (`CallGate.generation`).
    let generation: Int

    package init(rawValue: UInt) {
        self.init(rawValue: rawValue, generation: 0)
    }

    init(rawValue: UInt, generation: Int) {
        self.rawValue = rawValue
        self.generation = generation
    }
}

/// The class of an object (`CKO_*`).
package enum ObjectClass: UInt, Hashable, Sendable {
    case data = 0
    case certificate = 1
    case publicKey = 2
    case privateKey = 3
    case secretKey = 4
}

/// The type of a key (`CKK_*`).
package enum KeyType: UInt, Hashable, Sendable {
    case rsa = 0
    case ec = 3
    case genericSecret = 0x10
    case aes = 0x1F
    case sha256HMAC = 0x2B
}
