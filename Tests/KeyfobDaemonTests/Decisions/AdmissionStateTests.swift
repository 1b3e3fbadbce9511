// SPDX-License-Identifier: Apache-2.0
import KeyfobTestSupport
import Testing

@testable import KeyfobDaemon

struct AdmissionStateTests {
    private static let owner = AdmissionState.User(uid: 1000, isOwner: true)
    private static let first = AdmissionState.User(uid: 1, isOwner: false)
    private static let second = AdmissionState.User(uid: 2, isOwner: false)
    private static let third = AdmissionState.User(uid: 3, isOwner: false)

    private var state: AdmissionState

    init() {
        var limits = ServerSettings()
        limits.connections = 10
        limits.connectionsOfOneUser = 4
        limits.connectionsForOwner = 3
        limits.bytesInFlight = 800
        state = AdmissionState(limits: limits)
    }

    @Test mutating func `The owner may have every connection`() {
        for _ in 0..<10 { #expect(state.connect(Self.owner) == true) }
        #expect(state.connect(Self.owner) == false)
        state.disconnect(Self.owner)
        #expect(state.connect(Self.owner) == true)
    }

    @Test mutating func `One other user has as many as one may`() {
        for _ in 0..<4 { #expect(state.connect(Self.first) == true) }
        #expect(state.connect(Self.first) == false)
        #expect(state.connect(Self.second) == true)
        state.disconnect(Self.first)
        #expect(state.connect(Self.first) == true)
    }

    @Test mutating func `All others together leave some for the owner`() {
        for _ in 0..<4 { #expect(state.connect(Self.first) == true) }
        for _ in 0..<3 { #expect(state.connect(Self.second) == true) }
        #expect(state.connect(Self.second) == false)
        #expect(state.connect(Self.third) == false)
        for _ in 0..<3 { #expect(state.connect(Self.owner) == true) }
        #expect(state.connections == 10)
    }

    @Test mutating func `One other user has half of the memory, and all others seven eighths`() {
        #expect(state.reserve(401, Self.first) == false)
        #expect(state.reserve(400, Self.first) == true)
        #expect(state.reserve(1, Self.first) == false)
        #expect(state.reserve(301, Self.second) == false)
        #expect(state.reserve(300, Self.second) == true)
        #expect(state.reserve(1, Self.third) == false)
        #expect(state.reserve(100, Self.owner) == true)
        #expect(state.reserve(1, Self.owner) == false)
    }

    @Test mutating func `Memory that is given back can be had again`() {
        #expect(state.reserve(400, Self.first) == true)
        state.release(150, Self.first)
        #expect(state.bytes == 250)
        #expect(state.reserve(150, Self.first) == true)
        #expect(state.reserve(1, Self.first) == false)
    }

    @Test mutating func `No amount is too large to be refused`() {
        #expect(state.reserve(1, Self.owner) == true)
        #expect(state.reserve(.max, Self.owner) == false)
        #expect(state.reserve(.max, Self.first) == false)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    mutating func `When all have gone nothing is left`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let users = [Self.owner, Self.first, Self.second, Self.third]
        var held: [(user: AdmissionState.User, bytes: Int)] = []
        for _ in 0..<500 {
            let user = users[Int.random(in: 0..<4, using: &random)]
            if Bool.random(using: &random), state.connect(user) {
                let bytes = Int.random(in: 0...300, using: &random)
                held.append((user, state.reserve(bytes, user) ? bytes : 0))
            } else if let last = held.popLast() {
                state.release(last.bytes, last.user)
                state.disconnect(last.user)
            }
            #expect(state.connections == held.count, "seed \(seed)")
            #expect(state.bytes == held.reduce(0) { $0 + $1.bytes }, "seed \(seed)")
        }
        for one in held {
            state.release(one.bytes, one.user)
            state.disconnect(one.user)
        }
        #expect(state.connections == 0 && state.bytes == 0)
        for _ in 0..<4 { #expect(state.connect(Self.first) == true) }
        #expect(state.reserve(400, Self.first) == true)
    }
}

struct DequeTests {
    @Test(arguments: 0..<10 as Range<UInt64>)
    func `What goes in first comes out first`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var deque = Deque<Int>()
        var model: [Int] = []
        for step in 0..<1000 {
            if Int.random(in: 0..<5, using: &random) < (step < 500 ? 3 : 2) {
                deque.append(step)
                model.append(step)
            } else {
                #expect(deque.popFirst() == (model.isEmpty ? nil : model.removeFirst()), "seed \(seed)")
            }
            #expect(deque.count == model.count)
            #expect(deque.first == model.first)
        }
    }
}
