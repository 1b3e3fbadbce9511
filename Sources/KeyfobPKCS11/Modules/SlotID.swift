// SPDX-License-Identifier: Apache-2.0

/// The number of a slot (`CK_SLOT_ID`): good within one initialisation of a module, never to be stored.
package struct SlotID: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt

    package init(rawValue: UInt) {
        self.rawValue = rawValue
    }
}
