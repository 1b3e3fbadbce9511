// SPDX-License-Identifier: Apache-2.0

/// The handle of an object (`CK_OBJECT_HANDLE`): shared by the sessions of a process on a token, stale after a logout
/// or a lost session on some tokens.
///
/// Never stored.
package struct ObjectHandle: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt

    package init(rawValue: UInt) {
        self.rawValue = rawValue
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
