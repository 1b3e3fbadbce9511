// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import Testing

struct SecretBytesTests {
    @Test func `An empty secret is legal`() throws {
        let secret = try SecretBytes(copying: [])
        let (isEmpty, lent) = (secret.isEmpty, secret.withBytes { $0.byteCount })
        #expect(isEmpty)
        #expect(lent == 0)
    }

    @Test(arguments: [1, 63, 64, 65, 4096, 4097, 100_000])
    func `A secret holds the bytes it was made of`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let secret = try SecretBytes(copying: bytes)
        let size = secret.count
        #expect(size == count)
        #expect(peek(address(of: secret), count) == bytes)
    }

    @Test func `A new secret is zeros`() throws {
        let secret = try SecretBytes(count: 100)
        #expect(peek(address(of: secret), 100) == zeros(100))
    }

    @Test func `Written bytes are read back`() throws {
        var secret = try SecretBytes(count: 3)
        unsafe secret.withUnsafeMutableBytes { buffer in
            for index in buffer.indices { unsafe buffer[index] = UInt8(index + 1) }
        }
        #expect(peek(address(of: secret), 3) == [1, 2, 3])
    }

    @Test func `Truncating to the same size changes nothing and to zero leaves an empty secret`() throws {
        var secret = try SecretBytes(copying: [1, 2, 3])
        secret.truncate(to: 3)
        #expect(peek(address(of: secret), 3) == [1, 2, 3])
        secret.truncate(to: 0)
        let isEmpty = secret.isEmpty
        #expect(isEmpty)
    }

    @Test func `Truncating to more than there is ends the process`() async {
        await #expect(processExitsWith: .failure) {
            var secret = try SecretBytes(copying: [1, 2, 3])
            secret.truncate(to: 4)
        }
    }

    @Test func `Two secrets of one size do not share a slot`() throws {
        let first = try SecretBytes(copying: [1])
        let second = try SecretBytes(copying: [2])
        #expect(address(of: first) != address(of: second))
        #expect(peek(address(of: first), 1) == [1])
    }

    @Test func `A secret may move to another owner`() throws {
        func take(_ secret: consuming SecretBytes) -> [UInt8] { peek(address(of: secret), secret.count) }
        #expect(try take(SecretBytes(copying: [4, 5])) == [4, 5])
    }
}
