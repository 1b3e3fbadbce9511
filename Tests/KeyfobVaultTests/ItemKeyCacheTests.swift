// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// What a cache of opened item keys decides, without a token, threads or a clock.
@Suite struct ItemKeyCacheTests {
    private static let second: UInt64 = 1_000_000_000

    private let unlocked = ClassKeyID(.whenUnlocked, generation: 1)

    private func cache(keys: Int = 4, seconds: Int = 10) throws -> ItemKeyCache {
        ItemKeyCache(try #require(ItemKeyCacheLimit(keys: keys, seconds: seconds)))
    }

    private func item(_ number: UInt8) throws -> ItemUUID {
        try #require(ItemUUID([UInt8](repeating: number, count: 16)))
    }

    private func key(_ byte: UInt8) throws -> OpenedItemKey {
        OpenedItemKey(try SecretBytes(copying: [UInt8](repeating: byte, count: 32)))
    }

    private func first(_ key: OpenedItemKey?) -> UInt8? {
        key?.with { key in key.withBytes { unsafe $0.unsafeLoad(as: UInt8.self) } }
    }

    @Test func `A key that was kept is found by its item and digest`() throws {
        var cache = try cache()
        cache.keep(try key(1), of: try item(1), under: unlocked, [1], now: 0)
        cache.keep(try key(2), of: try item(2), under: unlocked, [2], now: 0)
        #expect(first(cache.find(try item(1), [1], now: 1)) == 1)
        #expect(first(cache.find(try item(2), [2], now: 1)) == 2)
        #expect(cache.hits == 2)
        #expect(cache.misses == 0)
    }

    @Test func `Another digest of the same item finds nothing`() throws {
        var cache = try cache()
        cache.keep(try key(1), of: try item(1), under: unlocked, [1], now: 0)
        #expect(cache.find(try item(1), [2], now: 1) == nil)
        #expect(cache.find(try item(2), [1], now: 1) == nil)
        #expect(cache.misses == 2)
    }

    @Test func `A key expires when its time is over, however often it was used`() throws {
        var cache = try cache(seconds: 10)
        cache.keep(try key(1), of: try item(1), under: unlocked, [1], now: 5)
        #expect(cache.find(try item(1), [1], now: 9 * Self.second) != nil)
        #expect(cache.find(try item(1), [1], now: 10 * Self.second + 4) != nil)
        #expect(cache.find(try item(1), [1], now: 10 * Self.second + 5) == nil)
    }

    @Test func `What has expired is let go, and the rest stays`() throws {
        var cache = try cache(seconds: 10)
        cache.keep(try key(1), of: try item(1), under: unlocked, [1], now: 0)
        cache.keep(try key(2), of: try item(2), under: unlocked, [2], now: Self.second)
        #expect(cache.nextExpiry == 10 * Self.second)
        cache.removeExpired(now: 10 * Self.second)
        #expect(cache.count == 1)
        #expect(cache.nextExpiry == 11 * Self.second)
        #expect(cache.find(try item(2), [2], now: 10 * Self.second) != nil)
    }

    @Test func `It never holds more than its limit, and those used lately stay`() throws {
        var cache = try cache(keys: 4)
        for number in 0..<4 as Range<UInt8> {
            cache.keep(try key(number), of: try item(number), under: unlocked, [number], now: 0)
        }
        _ = cache.find(try item(0), [0], now: 1)
        _ = cache.find(try item(2), [2], now: 1)
        for number in 4..<6 as Range<UInt8> {
            cache.keep(try key(number), of: try item(number), under: unlocked, [number], now: 1)
            #expect(cache.count == 4)
        }
        let held = try (0..<6 as Range<UInt8>).filter { cache.find(try item($0), [$0], now: 2) != nil }
        #expect(held == [0, 2, 4, 5])
    }

    @Test func `A full cache of keys that were all used still takes a new one`() throws {
        var cache = try cache(keys: 3)
        for number in 0..<3 as Range<UInt8> {
            cache.keep(try key(number), of: try item(number), under: unlocked, [number], now: 0)
            _ = cache.find(try item(number), [number], now: 1)
        }
        cache.keep(try key(9), of: try item(9), under: unlocked, [9], now: 1)
        #expect(cache.count == 3)
        #expect(cache.find(try item(9), [9], now: 2) != nil)
    }

    @Test func `A new key of an item takes the place of the old one`() throws {
        var cache = try cache(keys: 1)
        cache.keep(try key(1), of: try item(1), under: unlocked, [1], now: 0)
        cache.keep(try key(2), of: try item(1), under: unlocked, [2], now: 0)
        #expect(cache.count == 1)
        #expect(cache.find(try item(1), [1], now: 1) == nil)
        #expect(first(cache.find(try item(1), [2], now: 1)) == 2)
    }

    @Test func `The keys of one class go without those of another`() throws {
        var cache = try cache()
        let after = ClassKeyID(.afterFirstUnlock, generation: 1)
        cache.keep(try key(1), of: try item(1), under: unlocked, [1], now: 0)
        cache.keep(try key(2), of: try item(2), under: after, [2], now: 0)
        cache.removeAll { $0 == unlocked }
        #expect(cache.count == 1)
        #expect(cache.find(try item(1), [1], now: 1) == nil)
        #expect(cache.find(try item(2), [2], now: 1) != nil)
    }

    @Test func `After anything that can happen it holds what a plain table would, or less, and never too much`() throws
    {
        var random = SeededRandom.fresh()
        for _ in 0..<50 {
            let keys = Int.random(in: 0..<6, using: &random) + 1
            var cache = try cache(keys: keys, seconds: 1 + Int.random(in: 0..<5, using: &random))
            var table: [UInt8: (digest: UInt8, expires: UInt64)] = [:]
            var now: UInt64 = 0
            for _ in 0..<200 {
                now += UInt64(Int.random(in: 0..<1500, using: &random)) * 1_000_000
                let number = UInt8(Int.random(in: 0..<9, using: &random))
                let digest = UInt8(Int.random(in: 0..<3, using: &random))
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1:
                    cache.keep(try key(digest), of: try item(number), under: unlocked, [digest], now: now)
                    table[number] = (digest, now + cache.lifetime)
                case 2:
                    cache.remove(try item(number))
                    table[number] = nil
                case 3: cache.removeExpired(now: now)
                default:
                    guard let found = cache.find(try item(number), [digest], now: now) else { continue }
                    let expected = try #require(table[number], "seed \(random.seed)")
                    #expect(expected.digest == digest && now < expected.expires, "seed \(random.seed)")
                    #expect(first(found) == digest)
                }
                #expect(cache.count <= keys, "seed \(random.seed)")
            }
        }
    }
}

struct ItemKeyCacheLimitTests {
    @Test(arguments: [(0, 1), (1, 0), (-1, 5), (16385, 1), (1, 86401)])
    func `A limit outside of its range is none`(keys: Int, seconds: Int) {
        #expect(ItemKeyCacheLimit(keys: keys, seconds: seconds) == nil)
    }
}
