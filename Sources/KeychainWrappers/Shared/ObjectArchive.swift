// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Object graphs as bytes: keyed archives under secure coding, of property-list classes only.
///
/// The list is checked on both ways. An object of any other class would be made by code of that class, out of bytes
/// that whoever shares the access group may have written.
enum ObjectArchive {
    /// Why there is no archive, or no object.
    enum Failure: Error {
        /// The graph holds an object of a class that is not on the list, by its name.
        case classNotAllowed(String)
        /// Foundation's words; they name keys of the archive's own structure, not what it holds.
        case notAnArchive(String)
    }

    private static let allowed: [AnyClass] = [
        NSString.self, NSNumber.self, NSData.self, NSDate.self, NSDictionary.self, NSArray.self, NSSet.self,
        NSNull.self, NSURL.self, NSUUID.self,
    ]

    /// The names of those classes, their mutable kinds and their common root, as archives have them.
    private static let allowedNames: Set<String> = [
        "NSString", "NSNumber", "NSData", "NSDate", "NSDictionary", "NSArray", "NSSet", "NSNull", "NSURL", "NSUUID",
        "NSMutableString", "NSMutableData", "NSMutableDictionary", "NSMutableArray", "NSMutableSet", "NSObject",
    ]

    /// The bytes of a graph of strings, numbers, data, dates, URLs, UUIDs, arrays, sets and dictionaries.
    static func bytes(of object: Any) throws(Failure) -> Data {
        try check(object)
        do {
            return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        } catch {
            throw .notAnArchive("\(error)")
        }
    }

    /// The graph that the bytes hold.
    ///
    /// The classes are looked at before the archive is opened: Foundation on Linux stops the program at one that is
    /// not on the list, where elsewhere it throws.
    static func object(from bytes: Data) throws(Failure) -> Any {
        try checkClasses(of: bytes)
        do {
            if let object = try NSKeyedUnarchiver.unarchivedObject(ofClasses: allowed, from: bytes) { return object }
        } catch {
            throw .notAnArchive("\(error)")
        }
        throw .notAnArchive("no root object")
    }

    private static func checkClasses(of bytes: Data) throws(Failure) {
        let list: Any
        do {
            list = unsafe try PropertyListSerialization.propertyList(from: bytes, format: nil)
        } catch {
            throw .notAnArchive("no property list")
        }
        guard let archive = list as? [String: Any], archive["$top"] is [String: Any],
            let objects = archive["$objects"] as? [Any]
        else { throw .notAnArchive("no keyed archive") }
        for case let object as [String: Any] in objects where object["$class"] == nil {
            guard let name = object["$classname"] as? String, let line = object["$classes"] as? [String] else {
                throw .notAnArchive("an object without a class")
            }
            for name in line + [name] where !allowedNames.contains(name) { throw .classNotAllowed(name) }
        }
    }

    private static func check(_ object: Any) throws(Failure) {
        switch object {
        case let dictionary as [AnyHashable: Any]:
            for (key, value) in dictionary {
                try check(key.base)
                try check(value)
            }
        case let array as [Any]: for element in array { try check(element) }
        case let set as Set<AnyHashable>: for element in set { try check(element.base) }
        case is String, is NSNumber, is Data, is Date, is NSNull, is URL, is UUID: break
        default: throw .classNotAllowed("\(type(of: object))")
        }
    }
}
