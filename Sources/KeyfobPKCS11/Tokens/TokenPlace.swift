// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Where a token is now and how its module reads AES-GCM: what opening a session takes.
///
/// A token that was pulled and inserted may come back in another slot.
final class TokenPlace: Sendable {
    private let now: Mutex<(slot: SlotID, gcm: GCMVariant)>

    init(slot: SlotID) {
        now = Mutex((slot, .withIVBits))
    }

    var slot: SlotID { now.withLock { $0.slot } }

    var gcm: GCMVariant { now.withLock { $0.gcm } }

    func moved(to slot: SlotID) {
        now.withLock { $0.slot = slot }
    }

    func reads(_ gcm: GCMVariant) {
        now.withLock { $0.gcm = gcm }
    }

    func open(_ line: Line, readWrite: Bool) throws(PKCS11Error) -> SessionBox {
        let (slot, gcm) = now.withLock { $0 }
        return try SessionBox.open(line, slot, readWrite: readWrite, gcm: gcm)
    }
}
