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

    /// What the token says about itself now; `.replaced` if it is another.
    func info(_ line: Line) throws(PKCS11Error) -> TokenInfo {
        let info = try TokenInfo.ask(line, slot)
        guard info.identity == line.token else { throw line.error(.replaced(by: info.identity)) }
        return info
    }

    /// Opens a session, and makes sure that it is with the right token: a PIN must not go to another.
    func open(_ line: Line, readWrite: Bool) throws(PKCS11Error) -> SessionBox {
        let (slot, gcm) = now.withLock { $0 }
        let box = try SessionBox.open(line, slot, readWrite: readWrite, gcm: gcm)
        _ = try info(line)
        return box
    }
}
