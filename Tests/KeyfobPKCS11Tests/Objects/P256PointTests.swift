// SPDX-License-Identifier: Apache-2.0
import KeyfobPKCS11
import Testing

@Suite struct P256PointTests {
    /// A point whose first bytes look like a header: only its length tells what it is.
    private static let point: [UInt8] = [4, 65, 4] + [UInt8](repeating: 9, count: 62)

    @Test func `Either form of a point is the same raw point`() {
        #expect(P256Point.raw(Self.point) == Self.point)
        #expect(P256Point.raw(P256Point.der(Self.point)) == Self.point)
        #expect(P256Point.der(Self.point).count == 67)
        #expect(P256Point.der(Self.point).starts(with: [4, 65, 4, 65]))
    }

    @Test(arguments: [0, 1, 33, 64, 66, 68, 97, 133])
    func `What has another length is no point`(count: Int) {
        #expect(P256Point.raw([4, 65, 4] + [UInt8](repeating: 9, count: max(0, count - 3))) == nil || count == 0)
        #expect(P256Point.raw([UInt8](repeating: 4, count: count)) == nil)
    }

    @Test func `What has a length of a point and another beginning is none`() {
        #expect(P256Point.raw([2] + Self.point.dropFirst()) == nil)
        let der = P256Point.der(Self.point)
        for (index, byte) in [(0, 3), (1, 66), (2, 2)] as [(Int, UInt8)] {
            var changed = der
            changed[index] = byte
            #expect(P256Point.raw(changed) == nil, "byte \(index)")
        }
    }
}
