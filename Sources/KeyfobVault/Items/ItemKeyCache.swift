// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
package import KeyfobModel

/// How opened item keys are kept.
package struct ItemKeyKeeping: Sendable {
    let limit: ItemKeyCacheLimit
    let clock: @Sendable () -> UInt64

    /// - Parameters:
    ///   - limit: how many, and for how long.
    ///   - clock: by which they age, in nanoseconds; goes on while the machine sleeps.
    package init(_ limit: ItemKeyCacheLimit, clock: @escaping @Sendable () -> UInt64) {
        self.limit = limit
        self.clock = clock
    }
}

/// An item key that the token has opened.
///
/// Shared by the cache and the operations that copy it at the moment; wiped when the last of them lets go.
final class OpenedItemKey: Sendable {
    private let bytes: SecretBytes

    init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }

    /// Whether the kernel keeps it in RAM.
    var isLocked: Bool { bytes.isLocked }

    /// The key for one seal or open.
    func copy() throws(SecretMemoryError) -> SecretBytes { try bytes.copy() }

    /// Lends the key.
    func with<R: ~Copyable, E: Error>(_ body: (borrowing SecretBytes) throws(E) -> R) throws(E) -> R {
        try body(bytes)
    }
}

/// Keeps opened item keys: so many at most, each for so long, and of an item only the one that was opened last.
///
/// A key is found by its item and by the digest of its sealed form with all that this is bound to: a row that was changed or
/// moved, or sealed anew, finds none. When it is full the hand goes round, past keys that were used since it came by last
/// (CLOCK). Whoever asks has to know that the key's class is usable.
///
/// Knows no token, no thread and no clock; times are nanoseconds of the caller's.
struct ItemKeyCache: Sendable {
    private struct Slot {
        let item: ItemUUID
        let classKey: ClassKeyID
        let digest: [UInt8]
        let key: OpenedItemKey
        let expires: UInt64
        var wasUsed: Bool
    }

    let limit: ItemKeyCacheLimit
    private(set) var hits = 0
    private(set) var misses = 0
    private var slots: [Slot?] = []
    private var free: [Int] = []
    private var places: [ItemUUID: Int] = [:]
    private var hand = 0

    init(_ limit: ItemKeyCacheLimit) {
        self.limit = limit
    }

    /// Keys that are held.
    var count: Int { places.count }

    /// How long a key is kept.
    var lifetime: UInt64 { UInt64(limit.seconds) * 1_000_000_000 }

    /// When the first of the keys expires; nil: there is none.
    var nextExpiry: UInt64? { slots.lazy.compactMap { $0?.expires }.min() }

    /// The key of an item, if it is held and not too old.
    mutating func find(_ item: ItemUUID, _ digest: [UInt8], now: UInt64) -> OpenedItemKey? {
        guard let place = places[item], let slot = slots[place], slot.digest == digest, now < slot.expires else {
            misses += 1
            return nil
        }
        slots[place]?.wasUsed = true
        hits += 1
        return slot.key
    }

    /// The key that is held of an item, whatever its age.
    func key(of item: ItemUUID) -> OpenedItemKey? { places[item].flatMap { slots[$0]?.key } }

    /// Keeps the key of an item, in the place of one that it had before.
    mutating func keep(
        _ key: OpenedItemKey, of item: ItemUUID, under classKey: ClassKeyID, _ digest: [UInt8], now: UInt64
    ) {
        remove(item)
        let place = freePlace(now)
        slots[place] = Slot(
            item: item, classKey: classKey, digest: digest, key: key, expires: now + lifetime, wasUsed: false)
        places[item] = place
    }

    /// Lets go of the key of an item.
    mutating func remove(_ item: ItemUUID) {
        if let place = places[item] { clear(place) }
    }

    /// Lets go of the keys under the class keys that are meant.
    mutating func removeAll(where isMeant: (ClassKeyID) -> Bool) {
        removeSlots { isMeant($0.classKey) }
    }

    /// Lets go of the keys that are too old.
    mutating func removeExpired(now: UInt64) {
        removeSlots { $0.expires <= now }
    }

    // MARK: - Private

    private mutating func removeSlots(where isMeant: (Slot) -> Bool) {
        for place in slots.indices {
            if let slot = slots[place], isMeant(slot) { clear(place) }
        }
    }

    private mutating func clear(_ place: Int) {
        guard let slot = slots[place] else { return }
        places[slot.item] = nil
        slots[place] = nil
        free.append(place)
    }

    private mutating func freePlace(_ now: UInt64) -> Int {
        if let place = free.popLast() { return place }
        guard slots.count >= limit.keys else {
            slots.append(nil)
            return slots.count - 1
        }
        while let slot = slots[hand], slot.wasUsed, now < slot.expires {
            slots[hand]?.wasUsed = false
            hand = (hand + 1) % slots.count
        }
        let place = hand
        hand = (hand + 1) % slots.count
        if let slot = slots[place] { places[slot.item] = nil }
        return place
    }
}
