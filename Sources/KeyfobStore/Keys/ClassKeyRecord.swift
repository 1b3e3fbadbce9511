// SPDX-License-Identifier: Apache-2.0

/// What the store holds about one generation of one class key: a row of table `class_keys`.
///
/// Suite, residence and state are the vault's numbers; the store does not read them.
package struct ClassKeyRecord: Hashable, Sendable {
    /// The raw value of the accessibility class.
    package var classKey: UInt8
    package var generation: UInt32
    package var suite: UInt8
    package var residence: UInt8
    package var state: UInt8
    /// What the class key's suite and residence need besides: wrapped keys, a sealed one, a public half.
    package var wrapped: [UInt8]?
    /// The class's metadata key, sealed.
    package var metadataKey: [UInt8]
    /// How often the class key has sealed.
    package var seals: Int64

    package init(
        classKey: UInt8, generation: UInt32, suite: UInt8, residence: UInt8, state: UInt8, wrapped: [UInt8]?,
        metadataKey: [UInt8], seals: Int64 = 0
    ) {
        self.classKey = classKey
        self.generation = generation
        self.suite = suite
        self.residence = residence
        self.state = state
        self.wrapped = wrapped
        self.metadataKey = metadataKey
        self.seals = seals
    }
}

/// How many items one generation of a class key seals.
package struct ClassKeyUse: Hashable, Sendable {
    package let classKey: UInt8
    package let generation: UInt32
    package let items: Int
}
