// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// Everything a sealed blob is tied to: a blob moved to another identity, class, group or keychain does not open.
///
/// ```
///   purpose 1 | format 1 | keychain 16 | item 16 | scope 32 | tuple 16 | extra length 1 | extra
///     | class key 5 | access control length 1 | access control | revision 8 (metadata only)
/// ```
/// The scope is a keyed digest of item class, access group and synchronizable; the tuple one of the primary key.
package struct ItemBinding: Hashable, Sendable {
    /// What the blob is.
    enum Purpose: UInt8 {
        case itemKey = 1
        case value = 2
        case metadata = 3
        /// What tells whether the secrets of an `ItemGuard` are the right ones; never a blob of its own.
        case guardCheck = 5
    }

    package let keychain: ItemUUID
    package let item: ItemUUID
    package let scope: [UInt8]
    package let tuple: [UInt8]
    package let extra: [UInt8]
    package let key: ClassKeyID
    package let accessControl: [UInt8]

    package init(
        keychain: ItemUUID, item: ItemUUID, scope: [UInt8], tuple: [UInt8], extra: [UInt8], key: ClassKeyID,
        accessControl: [UInt8]
    ) {
        self.keychain = keychain
        self.item = item
        self.scope = scope
        self.tuple = tuple
        self.extra = extra
        self.key = key
        self.accessControl = accessControl
    }

    /// The associated data for a purpose; `revision` is bound where it is given.
    ///
    /// - Parameter format: the version of the blob.
    func associatedData(
        _ purpose: Purpose, revision: Int64? = nil, format: UInt8 = Envelope.version
    ) -> [UInt8] {
        var data: [UInt8] = []
        data.reserveCapacity(128)
        data.append(purpose.rawValue)
        data.append(format)
        data += keychain.bytes
        data += item.bytes
        data += scope
        data += tuple
        data.append(UInt8(extra.count))
        data += extra
        data.append(key.accessibility.rawValue)
        for shift in [24, 16, 8, 0] as [UInt32] { data.append(UInt8(truncatingIfNeeded: key.generation >> shift)) }
        data.append(UInt8(accessControl.count))
        data += accessControl
        if let revision {
            for byte in (0..<8).reversed() { data.append(UInt8(truncatingIfNeeded: revision >> Int64(8 * byte))) }
        }
        return data
    }
}
