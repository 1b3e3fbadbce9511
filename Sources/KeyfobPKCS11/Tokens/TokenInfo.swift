// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit
package import KeyfobModel

/// What `C_GetTokenInfo` said about a token, at the moment it was asked.
package struct TokenInfo: Hashable, Sendable {
    /// The texts of the token, blanks and NULs at their ends removed; bytes that are no UTF-8 are replaced.
    package var label: String
    package var manufacturer: String
    package var model: String
    package var serial: String
    package var flags: TokenFlags
    /// Bytes of the shortest PIN; 0 where the token does not say.
    package var minPINLength: Int
    /// Bytes of the longest PIN; 0 where the token does not say.
    package var maxPINLength: Int
    /// How many sessions a process may have; nil where there is no limit or the token does not say.
    package var maxSessionCount: Int?
    /// How many of them may be read/write; nil where there is no limit or the token does not say.
    package var maxRWSessionCount: Int?

    package init(
        label: String, manufacturer: String, model: String, serial: String, flags: TokenFlags, minPINLength: Int = 0,
        maxPINLength: Int = 0, maxSessionCount: Int? = nil, maxRWSessionCount: Int? = nil
    ) {
        self.label = label
        self.manufacturer = manufacturer
        self.model = model
        self.serial = serial
        self.flags = flags
        self.minPINLength = minPINLength
        self.maxPINLength = maxPINLength
        self.maxSessionCount = maxSessionCount
        self.maxRWSessionCount = maxRWSessionCount
    }

    /// The four texts.
    package var identity: TokenIdentity {
        TokenIdentity(label: label, manufacturer: manufacturer, model: model, serial: serial)
    }

    /// What the flags tell about the tries of the user PIN; `.unknown` where all seems well, for some tokens never
    /// set a flag.
    package var triesLeft: KeychainError.TriesLeft {
        if flags.contains(.userPINLocked) { return .none }
        if flags.contains(.userPINFinalTry) { return .one }
        if flags.contains(.userPINCountLow) { return .few }
        return .unknown
    }

    /// What the flags tell about the tries of the SO PIN.
    package var soTriesLeft: KeychainError.TriesLeft {
        if flags.contains(.soPINLocked) { return .none }
        if flags.contains(.soPINFinalTry) { return .one }
        if flags.contains(.soPINCountLow) { return .few }
        return .unknown
    }

    /// Whether a PIN of `count` bytes is within what the token says it takes.
    package func takesPIN(ofLength count: Int) -> Bool {
        if count < minPINLength { return false }
        return maxPINLength < max(minPINLength, 1) || count <= maxPINLength
    }
}

extension TokenInfo {
    /// Asks the token in `slot`.
    static func ask(_ line: Line, _ slot: SlotID) throws(PKCS11Error) -> TokenInfo {
        var raw = CK_TOKEN_INFO()
        try unsafe line.check(.getTokenInfo) { unsafe $0.pointee.C_GetTokenInfo?(slot.rawValue, &raw) }
        return TokenInfo(raw)
    }

    init(_ raw: CK_TOKEN_INFO) {
        self.init(
            label: text(raw.label), manufacturer: text(raw.manufacturerID), model: text(raw.model),
            serial: text(raw.serialNumber), flags: TokenFlags(rawValue: raw.flags),
            minPINLength: Int(clamping: raw.ulMinPinLen), maxPINLength: Int(clamping: raw.ulMaxPinLen),
            maxSessionCount: limit(raw.ulMaxSessionCount),
            maxRWSessionCount: limit(raw.ulMaxRwSessionCount))
    }
}

/// `CK_EFFECTIVELY_INFINITE` is 0, `CK_UNAVAILABLE_INFORMATION` all ones.
private func limit(_ value: UInt) -> Int? {
    value == 0 || value == .max ? nil : Int(clamping: value)
}

/// The text of a fixed-width field, whose end is padded with blanks (the standard) or NULs (some drivers).
func text<Field>(_ field: Field) -> String {
    var bytes = unsafe withUnsafeBytes(of: field) { unsafe Array($0) }
    while let last = bytes.last, last == 0x20 || last == 0 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
}
