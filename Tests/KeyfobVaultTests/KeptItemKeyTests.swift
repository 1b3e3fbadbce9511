// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Synchronization
import Testing

@testable import KeyfobVault

/// Opened item keys that are kept: when the token is not asked, and when it is.
@Suite(.lendsTokens) struct KeptItemKeyTests {
    /// A vault that keeps item keys, and the clock by which they age.
    private struct Lab {
        let test: MockVault
        let clock: Shared<UInt64>

        init(keys: Int = 8, seconds: Int = 10) throws {
            let clock = Shared<UInt64>(0)
            self.clock = clock
            let limit = try #require(ItemKeyCacheLimit(keys: keys, seconds: seconds))
            test = try MockVault(itemKeys: ItemKeyKeeping(limit) { clock.now }).unlocked()
        }

        var vault: Vault { test.vault }
        var held: Int { vault.itemKeyCache?.held ?? -1 }

        func tick(_ seconds: UInt64) { clock.change { $0 += seconds * 1_000_000_000 } }

        /// How many token operations `body` takes.
        func operations(_ body: () throws -> Void) rethrows -> Int {
            let before = test.mock.module.calls(of: .decrypt)
            try body()
            return test.mock.module.calls(of: .decrypt) - before
        }

        /// An item that was read once.
        func item(_ accessibility: Accessibility = .whenUnlocked) throws -> (blob: [UInt8], binding: ItemBinding) {
            let binding = try test.binding(accessibility)
            let blob = try test.seal(binding)
            #expect(try test.open(blob, binding) == [7, 8, 9])
            return (blob, binding)
        }

        /// Where the key of an item lies, and what it is.
        func place(of item: (blob: [UInt8], binding: ItemBinding)) throws -> Place {
            let key = try #require(
                vault.state.withLock { state in state.itemKeys?.key(of: item.binding.item) })
            return Place(key)
        }
    }

    /// A place of the arena, whose regions are never unmapped.
    private struct Place {
        let address: UInt
        let bytes: [UInt8]

        init(_ key: OpenedItemKey) {
            (address, bytes) = key.with { key in
                unsafe key.withUnsafeBytes { unsafe (UInt(bitPattern: $0.baseAddress), Array($0)) }
            }
        }

        var isWiped: Bool {
            unsafe !UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: bytes.count)
                .elementsEqual(bytes)
        }
    }

    @Test func `Nothing is kept unless it was asked for`() throws {
        let test = try MockVault().unlocked()
        let binding = try test.binding()
        let blob = try test.seal(binding)
        let before = test.mock.module.calls(of: .decrypt)
        for _ in 0..<3 { #expect(try test.open(blob, binding) == [7, 8, 9]) }
        #expect(test.mock.module.calls(of: .decrypt) == before + 3)
        #expect(test.vault.itemKeyCache == nil)
    }

    @Test(arguments: Accessibility.allCases)
    func `A value that is read again takes no token call`(accessibility: Accessibility) throws {
        let lab = try Lab()
        let item = try lab.item(accessibility)
        let calls = try lab.test.mock.calls { () throws in
            for _ in 0..<5 { #expect(try lab.test.open(item.blob, item.binding) == [7, 8, 9]) }
        }
        #expect(calls == 0)
        #expect(lab.vault.itemKeyCache?.hits == 5)
        #expect(lab.vault.itemKeyCache?.misses == 1)
    }

    @Test func `A key is opened anew when its time is over`() throws {
        let lab = try Lab(seconds: 10)
        let item = try lab.item()
        lab.tick(9)
        #expect(try lab.operations { _ = try lab.test.open(item.blob, item.binding) } == 0)
        lab.tick(1)
        #expect(try lab.operations { _ = try lab.test.open(item.blob, item.binding) } == 1)
    }

    @Test func `A key that is too old is wiped without being asked for`() throws {
        let lab = try Lab(seconds: 10)
        let place = try lab.place(of: lab.item())
        lab.tick(4)
        #expect(lab.vault.wipeExpiredItemKeys() == 6_000_000_000)
        #expect(!place.isWiped)
        lab.tick(6)
        #expect(lab.vault.wipeExpiredItemKeys() == 10_000_000_000)
        #expect(place.isWiped)
        #expect(lab.held == 0)
    }

    @Test func `No more keys are held than were allowed`() throws {
        let lab = try Lab(keys: 3)
        for _ in 0..<7 { _ = try lab.item() }
        #expect(lab.held == 3)
    }

    @Test(arguments: Accessibility.allCases)
    func `A lock wipes the keys of the classes that it closes, and no others`(accessibility: Accessibility) throws {
        let lab = try Lab()
        let item = try lab.item(accessibility)
        let place = try lab.place(of: item)
        #expect(!place.isWiped)
        try lab.vault.lock()
        let isClosed = accessibility.availability == .whileUnlocked
        #expect(place.isWiped == isClosed)
        let calls = lab.test.mock.module.calls(of: .decrypt)
        do throws(OpenFailure) {
            #expect(try lab.test.open(item.blob, item.binding) == [7, 8, 9])
            #expect(!isClosed)
        } catch {
            guard case .unavailable(let error) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(isClosed)
            #expect(error.code == .interactionNotAllowed)
        }
        #expect(lab.test.mock.module.calls(of: .decrypt) == calls)
    }

    @Test(arguments: Accessibility.allCases)
    func `The end wipes every key`(accessibility: Accessibility) throws {
        let lab = try Lab()
        let place = try lab.place(of: lab.item(accessibility))
        try lab.vault.end()
        #expect(place.isWiped)
    }

    @Test(arguments: Accessibility.allCases)
    func `A token that goes takes every key with it`(accessibility: Accessibility) throws {
        let lab = try Lab()
        let item = try lab.item(accessibility)
        let place = try lab.place(of: item)
        lab.test.mock.script(.remove())
        lab.vault.checkToken()
        #expect(lab.vault.lockState == .noToken)
        #expect(place.isWiped)
        #expect(throws: OpenFailure.self) { try lab.test.open(item.blob, item.binding) }
    }

    @Test func `A login that is lost takes the keys that hung on it`() throws {
        let lab = try Lab()
        let (unlocked, after) = (try lab.item(.whenUnlocked), try lab.item(.afterFirstUnlock))
        let places = (try lab.place(of: unlocked), try lab.place(of: after))
        // Another part of the process logs out.
        try lab.test.mock.openLoggedIn().logout()
        lab.vault.checkToken()
        #expect(lab.vault.lockState == .locked)
        #expect(places.0.isWiped)
        #expect(!places.1.isWiped)
    }

    @Test func `A row that was moved to another item is damaged, whatever is kept`() throws {
        let lab = try Lab()
        let (one, other) = (try lab.item(), try lab.item())
        #expect(throws: OpenFailure.damaged(.notAuthentic)) { try lab.test.open(one.blob, other.binding) }
        // The same item with another access group.
        let moved = ItemBinding(
            keychain: one.binding.keychain, item: one.binding.item, scope: [UInt8](repeating: 9, count: 32),
            tuple: one.binding.tuple, extra: [], key: one.binding.key, accessControl: [])
        #expect(throws: OpenFailure.damaged(.notAuthentic)) { try lab.test.open(one.blob, moved) }
    }

    @Test func `A sealed key with one bit changed finds nothing`() throws {
        let lab = try Lab()
        let item = try lab.item()
        for place in 9..<69 {
            var blob = item.blob
            blob[place] ^= 1
            #expect(throws: OpenFailure.damaged(.notAuthentic)) { try lab.test.open(blob, item.binding) }
        }
        #expect(lab.vault.itemKeyCache?.hits == 0)
    }

    @Test func `A value that was sealed anew is opened by its own key`() throws {
        let lab = try Lab()
        let item = try lab.item()
        let anew = try lab.test.seal(item.binding)
        let first = try lab.operations { () throws in #expect(try lab.test.open(anew, item.binding) == [7, 8, 9]) }
        let second = try lab.operations { () throws in #expect(try lab.test.open(anew, item.binding) == [7, 8, 9]) }
        #expect((first, second) == (1, 0))
        #expect(lab.held == 1)
    }

    @Test func `The key of an item that was deleted is wiped`() throws {
        let lab = try Lab()
        let (one, other) = (try lab.item(), try lab.item())
        let places = (try lab.place(of: one), try lab.place(of: other))
        lab.vault.wipeItemKeys(of: [one.binding.item])
        #expect(places.0.isWiped)
        #expect(!places.1.isWiped)
    }

    @Test func `Verify asks the token for each value, and leaves no key behind`() throws {
        let lab = try Lab()
        let item = try lab.item()
        let other = try lab.test.binding()
        let blob = try lab.test.seal(other)
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 3, alignment: 1)
        defer { unsafe output.deallocate() }
        let calls = try lab.operations { () throws in
            unsafe try lab.vault.openValue(item.blob, binding: item.binding, into: output, .verify)
            unsafe try lab.vault.openValue(blob, binding: other, into: output, .verify)
        }
        #expect(calls == 2)
        #expect(lab.held == 1)
    }

    @Test func `A key that the token opened before a lock is not kept after it`() throws {
        let lab = try Lab()
        let binding = try lab.test.binding()
        let blob = try lab.test.seal(binding)
        lab.test.mock.script(.hang(.decrypt))
        let reader = Background { [test = lab.test] in try test.open(blob, binding) }
        #expect(lab.test.mock.module.waitForHang())
        try lab.vault.lock()
        lab.test.mock.script(.release)
        // It may come through, for the token had begun; what counts is what stays.
        _ = try? reader.value()
        #expect(lab.held == 0)
    }

    @Test func `A hit is a use of the keychain`() throws {
        let lab = try Lab()
        let item = try lab.item()
        _ = lab.vault.takeUse()
        #expect(!lab.vault.takeUse())
        #expect(try lab.operations { _ = try lab.test.open(item.blob, item.binding) } == 0)
        #expect(lab.vault.takeUse())
    }

    @Test func `Many readers and a keychain that is locked again and again disagree about nothing`() throws {
        let lab = try Lab(keys: 4)
        let items = try (0..<8).map { _ in try lab.item() }
        let wrong = Shared(0)
        Threads.run(6) { [test = lab.test] number in
            for round in 0..<200 {
                if number == 0, round % 10 == 0 {
                    // A login and a logout that meet calls in flight may fail, and are tried again the next round.
                    try? test.vault.lock()
                    _ = try? test.vault.unlock(test.mock.token.pin())
                    continue
                }
                let item = items[(round + number) % items.count]
                if number == 1, round % 7 == 0 { test.vault.wipeItemKeys(of: [item.binding.item]) }
                do throws(OpenFailure) {
                    if try test.open(item.blob, item.binding) != [7, 8, 9] { wrong.change { $0 += 1 } }
                } catch {
                    if case .damaged = error { wrong.change { $0 += 1 } }
                }
            }
        }
        #expect(wrong.now == 0)
        try lab.vault.lock()
        #expect(lab.held == 0)
    }
}

extension MockToken {
    /// How many calls of any function `body` makes on the module.
    fileprivate func calls(_ body: () throws -> Void) rethrows -> Int {
        let before = CryptokiFunction.allCases.reduce(0) { $0 + module.calls(of: $1) }
        try body()
        return CryptokiFunction.allCases.reduce(0) { $0 + module.calls(of: $1) } - before
    }
}
