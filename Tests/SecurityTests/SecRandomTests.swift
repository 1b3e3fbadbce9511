// SPDX-License-Identifier: Apache-2.0
internal import Security
internal import Testing

@Suite struct SecRandomTests {
    private func fill(_ bytes: inout [UInt8], _ count: Int, from source: SecRandomRef? = kSecRandomDefault) -> Int32 {
        unsafe SecRandomCopyBytes(source, count, &bytes)
    }

    @Test func `Random bytes fill exactly what was asked for`() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let status = unsafe fill(&bytes, 4000)
        #expect(status == errSecSuccess)
        #expect(bytes[..<4000].count { $0 == 0 } < 100)
        #expect(bytes[4000...].allSatisfy { $0 == 0 })
    }

    @Test func `Two calls give different bytes`() {
        var first = [UInt8](repeating: 0, count: 32)
        var second = first
        let statuses = unsafe [fill(&first, 32), fill(&second, 32)]
        #expect(statuses == [0, 0] && first != second)
    }

    @Test func `A negative count is a bad parameter`() {
        var bytes: [UInt8] = [0]
        let status = unsafe fill(&bytes, -1)
        #expect(status == errSecParam)
    }

    @Test func `Another generator than the default is a bad parameter`() {
        var bytes: [UInt8] = [0]
        let status = unsafe fill(&bytes, 1, from: OpaquePointer(bitPattern: 16))
        #expect(status == errSecParam && bytes == [0])
    }
}
