// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

/// The compartment that an item lies in: its class, access group and synchronizable flag.
struct ScopeName: Hashable, Sendable {
    let itemClass: ItemClass
    let group: AccessGroup
    let isSynchronizable: Bool
}

/// A compartment as the store knows it.
struct Scope: Hashable, Sendable {
    /// The store's number for it; nil until its first item is stored.
    let id: Int64?
    let name: ScopeName
    /// `ItemIndex.scope`.
    let digest: [UInt8]
}
