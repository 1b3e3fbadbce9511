// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// The layout of sealed blobs, written down in docs/store-format.md.
///
/// ```
///   value     version 1 | suite 1 | class key 5 | sealed key length 2 | sealed item key | nonce 12 | ciphertext | tag 16
///   metadata  version 1 | class key 5 | nonce 12 | ciphertext | tag 16
///             version 2 | class key 5 | guard length 2 | guard | nonce 12 | ciphertext | tag 16
///   key       version 1 | suite 1 | class key 5 | sealed key                         (metadata, index and host's keys)
/// ```
/// What a sealed key looks like is its suite's (docs/suites.md). A value and attributes of version 2 belong to an item that needs a person or a password (`ItemGuard`): their keys are
/// mixed with its secrets. The layout of the value is the same.
package enum Envelope {
    /// The version byte of every blob but those of guarded items.
    static let version: UInt8 = 1
    /// The version byte of the blobs of guarded items.
    static let guardedVersion: UInt8 = 2
    static let nonceSize = 12
    static let tagSize = 16
    static let itemKeySize = 32
    /// The least that any suite makes of an item key: a nonce, its ciphertext, a tag.
    static let smallestSealedKey = nonceSize + itemKeySize + tagSize
    static let valueHeaderSize = 1 + 1 + 5 + 2
    static let metadataHeaderSize = 1 + 5
    static let keyHeaderSize = 1 + 1 + 5

    /// Why a blob cannot be read.
    package enum Fault: Error, Hashable, Sendable {
        /// Shorter than its own header says.
        case truncated
        case unknownVersion(UInt8)
        case unknownSuite(UInt8)
        /// The blob names another class key than its row.
        case otherClassKey
        /// Authentication failed: the blob was changed, or moved from where it belongs.
        case notAuthentic
        /// It opened, and is not what the search table says it is.
        case otherAttributes
        /// It opened, and what is inside is no encoding of ours.
        case malformed

        /// The fault in words for logs and `verify`.
        package var words: String {
            switch self {
            case .truncated: "is cut short"
            case .unknownVersion(let version): "has the unknown version \(version)"
            case .unknownSuite(let suite): "has the unknown suite \(suite)"
            case .otherClassKey: "names another class key than its row"
            case .notAuthentic: "fails authentication: it was changed, or belongs to another item"
            case .otherAttributes: "leads to an item with other attributes"
            case .malformed: "holds no encoding of ours"
            }
        }
    }

    /// The parts of a sealed value as ranges of its bytes.
    struct ValueLayout {
        let suite: Suite
        let sealedKey: Range<Int>
        let nonce: Range<Int>
        let ciphertext: Range<Int>

        /// Checks version, suite, class key and every length before anything is used.
        init(_ blob: [UInt8], key: ClassKeyID, isGuarded: Bool = false) throws(Fault) {
            guard blob.count >= valueHeaderSize else { throw .truncated }
            guard blob[0] == (isGuarded ? guardedVersion : version) else { throw .unknownVersion(blob[0]) }
            guard let suite = Suite(rawValue: blob[1]) else { throw .unknownSuite(blob[1]) }
            guard blob[2..<7].elementsEqual(key.encoded) else { throw .otherClassKey }
            let keyLength = Int(blob[7]) << 8 | Int(blob[8])
            guard keyLength >= smallestSealedKey else { throw .truncated }
            let nonceStart = valueHeaderSize + keyLength
            guard blob.count >= nonceStart + nonceSize + tagSize else { throw .truncated }
            self.suite = suite
            sealedKey = valueHeaderSize..<nonceStart
            nonce = nonceStart..<nonceStart + nonceSize
            ciphertext = nonce.upperBound..<blob.count
        }
    }

    /// Whether sealed attributes say that their item needs a person or a password.
    package static func isGuarded(_ metadata: [UInt8]) -> Bool { metadata.first == guardedVersion }

    /// The parts of sealed attributes as ranges of their bytes.
    struct MetadataLayout {
        /// Empty for an item that is not guarded.
        let guardHeader: Range<Int>
        let nonce: Range<Int>
        let ciphertext: Range<Int>

        /// Checks version, class key and every length before anything is used.
        init(_ blob: [UInt8], key: ClassKeyID) throws(Fault) {
            let least = nonceSize + tagSize
            guard blob.count >= metadataHeaderSize + least else { throw .truncated }
            guard blob[0] == version || blob[0] == guardedVersion else { throw .unknownVersion(blob[0]) }
            guard blob[1..<6].elementsEqual(key.encoded) else { throw .otherClassKey }
            var start = metadataHeaderSize
            var header = start..<start
            if blob[0] == guardedVersion {
                start += 2
                let length = Int(blob[start - 2]) << 8 | Int(blob[start - 1])
                guard blob.count >= start + length + least else { throw .truncated }
                header = start..<start + length
                start += length
            }
            guardHeader = header
            nonce = start..<start + nonceSize
            ciphertext = nonce.upperBound..<blob.count
        }
    }

    /// The class key that sealed attributes name, without opening them; nil if they are cut short or name no class.
    package static func classKey(ofMetadata blob: [UInt8]) -> ClassKeyID? {
        guard blob.count >= metadataHeaderSize, let accessibility = Accessibility(rawValue: blob[1]) else { return nil }
        return ClassKeyID(accessibility, generation: blob[2..<6].reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// The size of the value inside a sealed blob in bytes; nil for a blob that is too short.
    package static func valueSize(ofSealed blob: [UInt8]) -> Int? {
        guard blob.count >= valueHeaderSize else { return nil }
        let overhead = valueHeaderSize + (Int(blob[7]) << 8 | Int(blob[8])) + nonceSize + tagSize
        return blob.count >= overhead ? blob.count - overhead : nil
    }
}
