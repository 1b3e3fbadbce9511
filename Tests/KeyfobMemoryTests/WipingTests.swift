// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import Testing

/// Each test reads the slot after its owner has let go.
///
/// An arena of its own keeps other tests out of the slot.
///
/// There is no test that a secret cannot be printed: a `~Copyable` type does not compile in an interpolation or in
/// `print`, so there is nothing to call.
struct WipingTests {
    private struct Failure: Error {}

    private let arena = SecretArena()
    private let secret = Array("0123456789abcdef0123".utf8)

    @Test(arguments: [1, 20, 64, 65, 256, 1000, 4096])
    func `The slot is zeros after its owner lets go`(count: Int) throws {
        var place: UInt = 0
        do {
            let held = try SecretBytes(copying: Array(repeating: 0xAA, count: count), arena: arena)
            place = address(of: held)
            #expect(peek(place, count) == Array(repeating: 0xAA, count: count))
        }
        #expect(peek(place, count) == zeros(count))
    }

    @Test func `The whole slot is wiped, not only the bytes that count`() throws {
        var place: UInt = 0
        do {
            let held = try SecretBytes(copying: secret, arena: arena)
            place = address(of: held)
            poke(place + 63, 0xAA)
        }
        #expect(peek(place, 64) == zeros(64))
    }

    @Test func `The slot is zeros after a throw`() throws {
        var place: UInt = 0
        #expect(throws: Failure.self) {
            let held = try SecretBytes(copying: secret, arena: arena)
            place = address(of: held)
            try held.withBytes { _ in throw Failure() }
        }
        #expect(peek(place, secret.count) == zeros(secret.count))
    }

    @Test func `The slot is zeros after a throw while it is filled`() {
        var place: UInt = 0
        #expect(throws: SecretMemoryOr<Failure>.self) {
            _ = unsafe try SecretBytes.filling(capacity: 32, arena: arena) { (buffer) throws(Failure) in
                place = UInt(bitPattern: buffer.baseAddress)
                for index in buffer.indices { unsafe buffer[index] = 0xAA }
                throw Failure()
            }
        }
        #expect(place != 0)
        #expect(peek(place, 32) == zeros(32))
    }

    @Test func `What truncating cuts off is zeros at once`() throws {
        var held = try SecretBytes(copying: secret, arena: arena)
        held.truncate(to: 5)
        #expect(peek(address(of: held), secret.count) == secret.prefix(5) + zeros(secret.count - 5))
    }

    @Test func `What filling leaves over is not part of the secret`() throws {
        let held = unsafe try SecretBytes.filling(capacity: 64, arena: arena) { (buffer) throws(Never) in
            unsafe buffer[0] = 7
            unsafe buffer[1] = 8
            return 2
        }
        let count = held.count
        #expect(count == 2)
        #expect(peek(address(of: held), 2) == [7, 8])
    }

    @Test func `A slot that is used again begins as zeros`() throws {
        var place: UInt = 0
        do {
            let held = try SecretBytes(copying: secret, arena: arena)
            place = address(of: held)
        }
        let next = try SecretBytes(count: 64, arena: arena)
        #expect(address(of: next) == place)
        #expect(peek(place, 64) == zeros(64))
    }

    @Test func `A copy outlives its original`() throws {
        var original: SecretBytes? = try SecretBytes(copying: secret, arena: arena)
        guard let copy = try original?.copy() else { return }
        original = nil
        #expect(peek(address(of: copy), secret.count) == secret)
    }

    @Test func `A large secret leaves no mapping behind`() async {
        // In a process of its own, where no other test is given the address again.
        await #expect(processExitsWith: .success) {
            var place: UInt = 0
            do {
                let held = try SecretBytes(copying: Array(repeating: 0xAA, count: 10_000), arena: SecretArena())
                place = address(of: held)
                precondition(mappingFlags(place).contains("dd"), "nothing to show")
            }
            precondition(!mappingFlags(place).contains("dd"))
        }
    }
}
