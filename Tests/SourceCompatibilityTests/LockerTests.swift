// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeyfobTestSupport
import Security
import Testing

/// The wrapper of 2015 on a real token.
@Suite(.lendsTokens) struct LockerTests {
    private func withLocker<R>(_ body: (Locker) throws -> R) throws -> R {
        try withOwnKeychain { _ in try body(Locker(serviceName: "shop")) }
    }

    @Test func `A string comes back`() throws {
        try withLocker { locker in
            #expect(locker.setString("swordfish", forKey: "ada"))
            #expect(locker.stringForKey("ada") == "swordfish" && locker.lastStatus == noErr)
        }
    }

    @Test func `A string that is not there is nil with errSecItemNotFound`() throws {
        try withLocker { locker in
            #expect(locker.stringForKey("ada") == nil && locker.lastStatus == errSecItemNotFound)
        }
    }

    @Test func `A second value takes the place of the first`() throws {
        try withLocker { locker in
            locker["ada"] = "old"
            locker["ada"] = "new"
            #expect(locker["ada"] == "new" && locker.allKeys() == ["ada"])
        }
    }

    @Test func `Nil by subscript removes a value`() throws {
        try withLocker { locker in
            locker["ada"] = "swordfish"
            locker["ada"] = nil
            #expect(locker["ada"] == nil && !locker.hasValueForKey("ada"))
        }
    }

    @Test func `Removing what is not there is false`() throws {
        try withLocker { locker in
            #expect(!locker.removeObjectForKey("ada") && locker.lastStatus == errSecItemNotFound)
        }
    }

    @Test func `An archived object comes back`() throws {
        try withLocker { locker in
            let date = NSDate(timeIntervalSinceReferenceDate: 1000)
            #expect(locker.setObject(date, forKey: "since"))
            #expect(locker.objectForKey("since", ofClass: NSDate.self) == date)
        }
    }

    @Test func `Empty data and bytes that are no text come back`() throws {
        try withLocker { locker in
            #expect(locker.setData(NSData(), forKey: "empty"))
            #expect(locker.setData(NSData(data: Data([0xFF, 0x00])), forKey: "bytes"))
            #expect(locker.dataForKey("empty")?.length == 0)
            #expect(locker.dataForKey("bytes") == NSData(data: Data([0xFF, 0x00])))
            #expect(locker.stringForKey("bytes") == nil)
        }
    }

    @Test func `All keys are those of the service`() throws {
        try withLocker { locker in
            let other = Locker(serviceName: "other")
            locker["ada"] = "1"
            locker["bob"] = "2"
            other["eve"] = "3"
            #expect(locker.allKeys() == ["ada", "bob"] && other.allKeys() == ["eve"])
        }
    }

    @Test func `Wiping takes the values of the service and no others`() throws {
        try withLocker { locker in
            let other = Locker(serviceName: "other")
            locker["ada"] = "1"
            locker["bob"] = "2"
            other["eve"] = "3"
            #expect(locker.wipe() && locker.allKeys().isEmpty && other["eve"] == "3")
            #expect(!locker.wipe() && locker.lastStatus == errSecItemNotFound)
        }
    }

    @Test func `Keys and values of any script come back`() throws {
        try withLocker { locker in
            locker["ключ 🔑"] = "påssw∅rd 密码"
            #expect(locker["ключ 🔑"] == "påssw∅rd 密码" && locker.allKeys() == ["ключ 🔑"])
        }
    }

    @Test func `A locked keychain says errSecInteractionNotAllowed`() throws {
        try withOwnKeychain { keychain in
            let locker = Locker(serviceName: "shop")
            locker["ada"] = "swordfish"
            try keychain.engine.lock()
            #expect(locker["ada"] == nil && locker.lastStatus == errSecInteractionNotAllowed)
            try keychain.unlocked()
            #expect(locker["ada"] == "swordfish")
        }
    }

    @Test func `Values are there after the keychain was opened again`() throws {
        try withOwnKeychain { keychain in
            let locker = Locker(serviceName: "shop")
            locker["ada"] = "swordfish"
            try keychain.reopen()
            try keychain.unlocked()
            let found = ServiceSelection.$scoped.withValue(keychain.service("com.example.app")) { locker["ada"] }
            #expect(found == "swordfish")
        }
    }
}
