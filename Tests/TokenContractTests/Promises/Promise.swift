// SPDX-License-Identifier: Apache-2.0
import KeyfobTestSupport

/// A question to which every kind of token has its answer: one test a question, one row of docs/tokens.md.
enum Promise: String, CaseIterable {
    // Finding
    case foundByLabel = "found by its label alone"
    case serial = "has a serial number"
    case twins = "two tokens of one label"
    // PINs
    case lengths = "bytes of a PIN, as stated"
    case afterWrongPIN = "tries, after one wrong PIN"
    case locking = "wrong PINs until locked"
    case unlocking = "the SO sets a new PIN"
    // Keys
    case aesKey = "makes AES keys"
    case genericKey = "makes generic secret keys"
    case rsaKey = "makes RSA-2048 key pairs"
    case ecKey = "makes P-256 key pairs"
    case dataObject = "makes data objects"
    // Mechanisms
    case gcm = "AES-GCM"
    case cbc = "AES-CBC"
    case hmac = "HMAC-SHA-256"
    case oaepSHA1 = "RSA-OAEP, SHA-1"
    case oaepSHA256 = "RSA-OAEP, SHA-256"
    case ecdh = "ECDH, P-256"
    case derPoint = "ECDH with a point in DER"
    case wrapping = "AES_KEY_WRAP_PAD to a public session key"
    // Login
    case publicKey = "public token key before a login"
    case publicSessionKey = "public session key after a logout"
    case copying = "private key copied to a public session key"
    case oldHandle = "old handle of a private key after a logout"
    case foundLoggedOut = "private key found after a logout"
    case threads = "sessions in four threads"
    // Keychains
    case adopted = "keychain on an RSA pair that was there"
    case forgets = "the pair after a lock of that keychain"
    // Removal
    case removed = "use while it is away"
    case returned = "use when it is back"
}

/// What was found, or is expected, of a promise: a cell of the table.
struct Answer: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    let rawValue: String

    init(rawValue: String) {
        self.rawValue = rawValue
    }

    init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    init(_ isSo: Bool) {
        self = isSo ? .yes : .no
    }

    static let yes: Answer = "yes"
    static let no: Answer = "no"
    /// Finding out would spoil the token for all others, or crash the process.
    static let notTried: Answer = "not tried"

    var description: String { rawValue }
}
