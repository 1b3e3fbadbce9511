// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security
internal import Testing

@Suite struct AccessControlTests {
    private func make(
        _ flags: SecAccessControlCreateFlags, _ protection: CFTypeRef = kSecAttrAccessibleWhenUnlocked
    ) -> SecAccessControl? {
        SecAccessControlCreateWithFlags(kCFAllocatorDefault, protection, flags, nil)
    }

    @Test func `Flags have Apple's bits`() {
        let bits: [(SecAccessControlCreateFlags, CFOptionFlags)] = [
            (.userPresence, 1), (.biometryAny, 2), (.touchIDAny, 2), (.biometryCurrentSet, 8), (.touchIDCurrentSet, 8),
            (.devicePasscode, 16), (.companion, 32), (.watch, 32), (.or, 1 << 14), (.and, 1 << 15),
            (.privateKeyUsage, 1 << 30), (.applicationPassword, 1 << 31),
        ]
        for (flag, bit) in bits { #expect(flag.rawValue == bit) }
    }

    @Test(
        arguments: [
            [], .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .privateKeyUsage,
            .applicationPassword, .or, .and, [.or, .biometryAny], [.and, .devicePasscode],
            [.devicePasscode, .biometryAny], [.or, .devicePasscode, .biometryAny], [.and, .devicePasscode, .companion],
            [.userPresence, .privateKeyUsage], [.userPresence, .applicationPassword],
            [.userPresence, .privateKeyUsage, .applicationPassword], [.privateKeyUsage, .biometryCurrentSet],
        ] as [SecAccessControlCreateFlags])
    func `A legal combination makes an object`(_ flags: SecAccessControlCreateFlags) {
        #expect(make(flags) != nil)
    }

    @Test(
        arguments: [
            [.or, .and], [.or, .and, .devicePasscode], [.biometryAny, .biometryCurrentSet],
            [.or, .biometryAny, .biometryCurrentSet], [.userPresence, .devicePasscode], [.userPresence, .biometryAny],
            [.userPresence, .biometryCurrentSet], [.userPresence, .companion], [.userPresence, .or],
            [.userPresence, .and], .init(rawValue: 1 << 2), .init(rawValue: 1 << 40),
        ] as [SecAccessControlCreateFlags])
    func `An illegal combination makes none`(_ flags: SecAccessControlCreateFlags) {
        #expect(make(flags) == nil)
    }

    @Test func `An illegal combination is told by an error of OSStatus -50`() throws {
        var error: Unmanaged<CFError>?
        let object = unsafe SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAlways, [.or, .and], &error)
        #expect(object == nil)
        let found = unsafe error?.takeRetainedValue()
        #expect(found?.domain == NSOSStatusErrorDomain && found?.code == -50)
        #expect(found?.localizedDescription == "One or more parameters passed to a function were not valid.")
    }

    @Test func `Each accessibility constant is a protection`() {
        let all: [CFString] = [
            kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleAfterFirstUnlock, kSecAttrAccessibleAlways,
            kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            kSecAttrAccessibleAlwaysThisDeviceOnly, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
        ]
        for protection in all { #expect(make([], protection) != nil) }
    }

    @Test func `Anything else is no protection`() {
        for protection: CFTypeRef in [NSString("never"), NSString(""), NSData(), 1 as NSNumber, NSString("AK")] {
            #expect(make([], protection) == nil)
        }
    }

    @Test func `Objects are equal if protection and flags are`() {
        #expect(make(.userPresence) == make(.userPresence))
        #expect(make(.userPresence) != make(.devicePasscode))
        #expect(make([]) != make([], kSecAttrAccessibleAlways))
        #expect(Set([make([]), make([]), make(.or)]).count == 2)
        #expect(CFEqual(make([]), make([])))
        #expect(!CFEqual(make([]), make(.and)))
    }

    @Test func `The object of a plain item is equal to no object with flags 0`() throws {
        try withKeychain { _ in
            add(password())
            let found = try #require(attributes(password(value: nil))["accc"] as? SecAccessControl)
            #expect(found != make([]))
        }
    }
}
