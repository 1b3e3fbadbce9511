// SPDX-License-Identifier: Apache-2.0

/// The name of an item attribute: the four characters of Apple's constant, big-endian in one number.
package struct AttributeName: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The name with those characters; nil unless they are exactly four UTF-8 bytes.
    package init?(_ code: String) {
        let bytes = code.utf8
        guard bytes.count == 4 else { return nil }
        var value: UInt32 = 0
        for byte in bytes { value = value << 8 | UInt32(byte) }
        rawValue = value
    }

    /// The four characters.
    package var code: String {
        String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }, as: UTF8.self)
    }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

    private init(known code: StaticString) {
        rawValue = code.withUTF8Buffer { bytes in unsafe bytes.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    // MARK: - Attributes of every class

    package static let accessGroup = Self(known: "agrp")
    package static let synchronizable = Self(known: "sync")
    package static let accessible = Self(known: "pdmn")
    package static let accessControl = Self(known: "accc")
    package static let creationDate = Self(known: "cdat")
    package static let modificationDate = Self(known: "mdat")
    package static let label = Self(known: "labl")
    package static let alias = Self(known: "alis")
    package static let tokenID = Self(known: "tkid")
    package static let syncViewHint = Self(known: "vwht")
    package static let sha1 = Self(known: "sha1")
    package static let tombstone = Self(known: "tomb")
    package static let multiUser = Self(known: "musr")
    package static let noLegacy = Self(known: "nleg")

    // MARK: - Attributes of passwords

    package static let account = Self(known: "acct")
    package static let service = Self(known: "svce")
    package static let generic = Self(known: "gena")
    package static let description = Self(known: "desc")
    package static let comment = Self(known: "icmt")
    package static let creator = Self(known: "crtr")
    package static let type = Self(known: "type")
    package static let scriptCode = Self(known: "scrp")
    package static let isInvisible = Self(known: "invi")
    package static let isNegative = Self(known: "nega")
    package static let customIcon = Self(known: "cusi")
    package static let protectionText = Self(known: "prot")
    package static let securityDomain = Self(known: "sdmn")
    package static let server = Self(known: "srvr")
    package static let `protocol` = Self(known: "ptcl")
    package static let authenticationType = Self(known: "atyp")
    package static let port = Self(known: "port")
    package static let path = Self(known: "path")
}
