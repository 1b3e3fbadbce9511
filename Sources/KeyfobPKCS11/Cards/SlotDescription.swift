// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit

/// What a module says about a slot (`C_GetSlotInfo`, PKCS #11 v3.1 §5.5.3).
struct SlotDescription: Hashable, Sendable {
    /// Bytes of the field.
    static let size = 64

    /// Without the blanks at its end; modules of cards put the reader's name here.
    let text: [UInt8]
    /// Whether the slot is a device and no software: `CKF_HW_SLOT`, or `CKF_REMOVABLE_DEVICE`.
    let isHardware: Bool
    /// `CKF_REMOVABLE_DEVICE`: the slot is a reader, and knows whether a token is in it.
    let isRemovable: Bool
    /// `CKF_TOKEN_PRESENT`; modules of cards look into the reader for it.
    let isPresent: Bool

    static func ask(_ line: Line, _ slot: SlotID) throws(PKCS11Error) -> SlotDescription {
        var info = CK_SLOT_INFO()
        try unsafe line.check(.getSlotInfo) { unsafe $0.pointee.C_GetSlotInfo?(slot.rawValue, &info) }
        var text = unsafe withUnsafeBytes(of: &info.slotDescription) { unsafe Array($0) }
        while text.last == 0x20 || text.last == 0 { text.removeLast() }
        return SlotDescription(
            text: text, isHardware: info.flags & 0x6 != 0, isRemovable: info.flags & 0x2 != 0,
            isPresent: info.flags & 0x1 != 0)
    }
}
