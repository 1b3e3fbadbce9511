// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

// A wrapper as they were written about 2015: NSMutableDictionary, constants turned into strings once, no errors but a
// boolean and the last status. It is a subject of the tests and no example to follow.

private let classKey = kSecClass as String
private let genericPassword = kSecClassGenericPassword as String
private let accountKey = NSString(format: kSecAttrAccount) as String
private let serviceKey = String(kSecAttrService)
private let valueKey = kSecValueData as NSString

/// Keeps strings, data and objects by a key, all under one service.
class Locker: NSObject {
    static let standard = Locker(serviceName: "locker")

    let serviceName: String
    var accessible: CFString = kSecAttrAccessibleWhenUnlocked
    private(set) var lastStatus: OSStatus = noErr

    init(serviceName: String) {
        self.serviceName = serviceName
        super.init()
    }

    subscript(key: String) -> String? {
        get { return stringForKey(key) }
        set {
            if let value = newValue { _ = setString(value, forKey: key) } else { _ = removeObjectForKey(key) }
        }
    }

    func setString(_ value: String, forKey key: String) -> Bool {
        return setData(value.data(using: String.Encoding.utf8)! as NSData, forKey: key)
    }

    func setObject(_ value: NSCoding & NSObject, forKey key: String) -> Bool {
        guard let data = try? NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false) else {
            return false
        }
        return setData(data as NSData, forKey: key)
    }

    func setData(_ value: NSData, forKey key: String) -> Bool {
        let dictionary = setupQueryDictionary(key)
        dictionary.setObject(value, forKey: valueKey)
        dictionary[kSecAttrAccessible as String] = accessible
        lastStatus = SecItemAdd(dictionary as CFDictionary, nil)
        if lastStatus == errSecSuccess {
            return true
        } else if lastStatus == errSecDuplicateItem {
            return updateValue(value, forKey: key)
        } else {
            return false
        }
    }

    func stringForKey(_ key: String) -> String? {
        guard let data = dataForKey(key) else { return nil }
        return NSString(data: data as Data, encoding: String.Encoding.utf8.rawValue) as String?
    }

    func objectForKey<Object: NSObject & NSCoding>(_ key: String, ofClass type: Object.Type) -> Object? {
        guard let data = dataForKey(key) else { return nil }
        return (try? NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data as Data)) ?? nil
    }

    func dataForKey(_ key: String) -> NSData? {
        let dictionary = setupQueryDictionary(key)
        dictionary[kSecMatchLimit as String] = kSecMatchLimitOne
        dictionary[kSecReturnData as String] = kCFBooleanTrue
        var result: AnyObject?
        lastStatus = withUnsafeMutablePointer(to: &result) {
            SecItemCopyMatching(dictionary as CFDictionary, UnsafeMutablePointer($0))
        }
        return lastStatus == noErr ? result as? NSData : nil
    }

    func removeObjectForKey(_ key: String) -> Bool {
        lastStatus = SecItemDelete(setupQueryDictionary(key))
        return lastStatus == noErr
    }

    func hasValueForKey(_ key: String) -> Bool {
        return dataForKey(key) != nil
    }

    func allKeys() -> Set<String> {
        let query: [String: AnyObject] = [
            classKey: genericPassword as NSString, serviceKey: serviceName as NSString,
            kSecReturnAttributes as String: kCFBooleanTrue, kSecMatchLimit as String: kSecMatchLimitAll,
        ]
        var result: AnyObject?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else { return [] }
        var keys = Set<String>()
        for attributes in result as! [[String: AnyObject]] {
            if let account = attributes[accountKey] as? String { keys.insert(account) }
        }
        return keys
    }

    func wipe() -> Bool {
        let query = NSMutableDictionary(
            objects: [genericPassword, serviceName], forKeys: [classKey as NSString, serviceKey as NSString])
        lastStatus = SecItemDelete(query as CFDictionary)
        return lastStatus == noErr
    }

    private func updateValue(_ value: NSData, forKey key: String) -> Bool {
        let change: NSDictionary = [valueKey: value]
        lastStatus = SecItemUpdate(setupQueryDictionary(key), change)
        return lastStatus == errSecSuccess
    }

    private func setupQueryDictionary(_ key: String) -> NSMutableDictionary {
        let dictionary = NSMutableDictionary()
        dictionary.setObject(genericPassword, forKey: classKey as NSString)
        dictionary[serviceKey] = serviceName
        dictionary[accountKey] = key
        return dictionary
    }
}
