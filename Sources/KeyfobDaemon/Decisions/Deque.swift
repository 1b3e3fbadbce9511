// SPDX-License-Identifier: Apache-2.0

/// First in, first out; each step costs the same however many wait.
struct Deque<Element> {
    private var slots: [Element?] = []
    private var head = 0
    /// How many there are.
    private(set) var count = 0

    /// The one that came first, or nil.
    var first: Element? { count == 0 ? nil : slots[head] }

    /// Adds one at the end.
    mutating func append(_ element: Element) {
        if count == slots.count { grow() }
        slots[(head + count) % slots.count] = element
        count += 1
    }

    /// Takes the one that came first, or nil.
    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        defer {
            slots[head] = nil
            head = (head + 1) % slots.count
            count -= 1
        }
        return slots[head]
    }

    private mutating func grow() {
        let ordered = (0..<count).map { slots[(head + $0) % slots.count] }
        slots = ordered + [Element?](repeating: nil, count: max(count, 8))
        head = 0
    }
}
