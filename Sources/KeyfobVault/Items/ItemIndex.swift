// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
package import KeyfobModel

/// The keyed digests by which sealed items are found: HMAC-SHA-256 under the keychain's index key.
///
/// ```
///   scope   01 | item class 1 | synchronizable 1 | access group                               all 32 bytes
///   tuple   02 | item class 1 | for each key attribute: length 4, comparison bytes             first 16
///   extra   03 | item class 1 | tkid: 00, or 01, length 4, bytes | vwht: the same              first 16, or empty
///   search  04 | attribute name 4 | comparison bytes                                           first 16
///   audit   05 | item class 1 | attribute name 4 | comparison bytes                            first 16
/// ```
/// Lengths and names are little-endian. Without the index key, equal digests tell that two values are equal and no more.
package final class ItemIndex: Sendable {
    private let hmac: HMACSHA256

    init(key: borrowing SecretBytes) throws(LibcryptoError) {
        hmac = try HMACSHA256(key: key)
    }

    /// The digest of an item class, group and synchronizable flag.
    package func scope(_ itemClass: ItemClass, _ group: AccessGroup, isSynchronizable: Bool) -> [UInt8] {
        hmac.digest { message in
            message.append(1 as UInt8)
            message.append(itemClass.rawValue)
            message.append(isSynchronizable ? 1 : 0 as UInt8)
            group.utf8.withBytes { message.append($0) }
        }.bytes
    }

    /// The digest of the class's own key attributes, defaults in place of absent ones.
    package func tuple(_ itemClass: ItemClass, _ attributes: AttributeSet) -> [UInt8] {
        hmac.digest { message in
            message.append(2 as UInt8)
            message.append(itemClass.rawValue)
            for schema in itemClass.schema {
                // Key attributes come first in a schema.
                guard schema.isKey, let value = attributes[schema.name] ?? schema.defaultValue else { break }
                append(value, as: schema.kind, to: &message)
            }
        }.prefix(16)
    }

    /// The digest of token ID and view hint, which belong to every class's primary key; empty if the item has neither.
    package func extra(_ itemClass: ItemClass, _ attributes: AttributeSet) -> [UInt8] {
        let values = (attributes[.tokenID], attributes[.syncViewHint])
        if values.0 == nil && values.1 == nil { return [] }
        return hmac.digest { message in
            message.append(3 as UInt8)
            message.append(itemClass.rawValue)
            for value in [values.0, values.1] {
                guard let value else {
                    message.append(0 as UInt8)
                    continue
                }
                message.append(1 as UInt8)
                append(value, as: .text, to: &message)
            }
        }.prefix(16)
    }

    /// The digest by which one attribute is searched.
    package func search(_ name: AttributeName, _ value: AttributeValue, kind: AttributeKind) -> [UInt8] {
        hmac.digest { message in
            message.append(4 as UInt8)
            message.append(name.rawValue)
            value.withComparisonBytes(as: kind) { message.append($0) }
        }.prefix(16)
    }

    /// The digest by which the audit log names an attribute that was asked for; another than the one it is searched by.
    package func audit(_ itemClass: ItemClass, _ name: AttributeName, _ value: AttributeValue) -> [UInt8] {
        hmac.digest { message in
            message.append(5 as UInt8)
            message.append(itemClass.rawValue)
            message.append(name.rawValue)
            value.withComparisonBytes(as: .blob) { message.append($0) }
        }.prefix(16)
    }

    private func append(_ value: AttributeValue, as kind: AttributeKind, to message: inout HMACSHA256.Message) {
        value.withComparisonBytes(as: kind) { bytes in
            message.append(UInt32(truncatingIfNeeded: bytes.byteCount))
            message.append(bytes)
        }
    }
}
