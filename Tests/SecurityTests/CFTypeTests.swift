// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security
internal import Testing

@Suite struct CFTypeTests {
    @Test func `A constant finds a key that was read back`() {
        // Without NSString+AnyHashable.swift the two are unequal on Linux, and this lookup gives nil.
        let readBack: [AnyHashable: Any] = ["acct": "bob"]
        #expect(readBack[kSecAttrAccount] as? String == "bob")
        #expect(AnyHashable(NSMutableString(string: "acct")) == AnyHashable("acct"))
        #expect(AnyHashable(kSecAttrAccount).hashValue == AnyHashable("acct").hashValue)
    }

    @Test func `Constants fit where strings and objects are asked for`() {
        let object: CFTypeRef = kSecAttrAccessibleAlways
        let mixed: [String: AnyObject] = [String(kSecClass): kSecClassKey, kSecReturnData as String: kCFBooleanTrue]
        #expect(object as? String == "dk")
        #expect((mixed as CFDictionary)["class"] as? String == "keys")
    }

    @Test func `Every kind of Swift dictionary becomes a query`() {
        let queries: [CFDictionary] = [
            ["class": "genp"] as [String: Any] as CFDictionary,
            [kSecClass: kSecClassGenericPassword] as [CFString: Any] as CFDictionary,
            ["class": "genp"] as [String: AnyHashable] as CFDictionary,
            ["class": NSString("genp")] as [String: NSObject] as CFDictionary,
            [kSecClass: "genp"] as [AnyHashable: Any] as CFDictionary,
            ["class": AnyHashable("genp")] as [AnyHashable: AnyHashable] as CFDictionary,
            NSMutableDictionary(dictionary: ["class": "genp"]),
        ]
        for query in queries {
            withKeychain { _ in
                #expect(add(query) == errSecSuccess)
                #expect(exists(query) == errSecSuccess)
            }
        }
    }

    @Test func `Booleans and numbers are told apart`() {
        #expect(CFGetTypeID(kCFBooleanTrue) == CFBooleanGetTypeID())
        #expect(CFGetTypeID(false as NSNumber) == CFBooleanGetTypeID())
        #expect(CFGetTypeID(1 as NSNumber) == CFNumberGetTypeID())
        #expect(kCFBooleanTrue.boolValue && !kCFBooleanFalse.boolValue)
    }

    @Test func `Every type has a number of its own`() {
        let objects: [(AnyObject, CFTypeID)] = [
            (NSString("a"), CFStringGetTypeID()), (NSData(), CFDataGetTypeID()), (NSDate(), CFDateGetTypeID()),
            (NSDictionary(), CFDictionaryGetTypeID()), (NSArray(), CFArrayGetTypeID()), (NSSet(), CFSetGetTypeID()),
            (NSError(domain: "d", code: 1), CFErrorGetTypeID()), (NSURL(fileURLWithPath: "/"), CFURLGetTypeID()),
            (1 as NSNumber, CFNumberGetTypeID()), (kCFBooleanTrue, CFBooleanGetTypeID()),
        ]
        for (object, type) in objects { #expect(CFGetTypeID(object) == type) }
        let all =
            objects.map(\.1) + [
                SecKeyGetTypeID(), SecCertificateGetTypeID(), SecIdentityGetTypeID(), SecAccessControlGetTypeID(),
            ]
        #expect(Set(all).count == all.count)
        #expect(CFGetTypeID(nil) == 0)
        #expect(CFGetTypeID(NSObject()) == 0)
    }

    @Test func `An error tells its domain, code and text`() throws {
        let error = NSError(domain: NSOSStatusErrorDomain, code: -50, userInfo: [NSLocalizedDescriptionKey: "bad"])
        #expect(CFErrorGetDomain(error) as String == NSOSStatusErrorDomain)
        #expect(CFErrorGetCode(error) == -50)
        #expect(CFErrorCopyUserInfo(error)[NSLocalizedDescriptionKey] as? String == "bad")
        #expect(CFErrorCopyDescription(error) as String == "bad")
    }

    @Test func `Bytes are lent and wrapped without a copy`() throws {
        let data = NSData(data: Data([1, 2, 3]))
        #expect(CFDataGetLength(data) == 3)
        let last = unsafe CFDataGetBytePtr(data)[2]
        #expect(last == 3)
        var bytes: [UInt8] = [7, 8]
        let first = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            let wrapped = unsafe CFDataCreateWithBytesNoCopy(
                kCFAllocatorDefault, buffer.baseAddress, 2, kCFAllocatorNull)
            unsafe buffer[0] = 9
            return wrapped.map { Data(referencing: $0)[0] }
        }
        #expect(first == 9)
    }

    @Test func `Equality is that of content`() {
        #expect(CFEqual(NSString("a"), NSMutableString(string: "a")))
        #expect(!CFEqual(NSString("a"), NSData()))
        #expect(CFEqual(nil, nil) && !CFEqual(nil, NSString("a")))
    }
}
