// SPDX-License-Identifier: Apache-2.0

/// The connections there are, by token; a token is never used for a second connection.
struct ConnectionTable {
    private var slots: [Connection?] = []
    private var uses: [UInt32] = []
    private var free: [Int] = []

    /// All of them.
    var all: [Connection] { slots.compactMap(\.self) }

    /// Takes it in and gives it its token: the slot below, the number of uses above.
    mutating func insert(_ connection: Connection) {
        let slot: Int
        if let freed = free.popLast() {
            slot = freed
        } else {
            slot = slots.count
            slots.append(nil)
            uses.append(0)
        }
        uses[slot] &+= 1
        slots[slot] = connection
        connection.token = UInt64(uses[slot]) << 32 | UInt64(slot)
    }

    /// The connection of a token, or nil if it has gone.
    subscript(token: UInt64) -> Connection? {
        let slot = Int(truncatingIfNeeded: token & 0xFFFF_FFFF)
        guard slot < slots.count, uses[slot] == UInt32(truncatingIfNeeded: token >> 32) else { return nil }
        return slots[slot]
    }

    /// Lets it go; false if that has been done.
    mutating func remove(_ connection: Connection) -> Bool {
        guard self[connection.token] === connection else { return false }
        let slot = Int(truncatingIfNeeded: connection.token & 0xFFFF_FFFF)
        slots[slot] = nil
        free.append(slot)
        return true
    }
}
