// SPDX-License-Identifier: Apache-2.0
@_exported public import Foundation

// Foundation's classes stand in for Core Foundation's types: callers' casts (`as CFDictionary`, `as String`) then work
// as they do on Apple platforms. Numbers and booleans share one class, as `NSNumber` does for both.

/// Any object.
public typealias CFTypeRef = AnyObject
/// A string; a class, so that it fits where an object is asked for.
public typealias CFString = NSString
/// A dictionary.
public typealias CFDictionary = NSDictionary
/// A dictionary that can change.
public typealias CFMutableDictionary = NSMutableDictionary
/// An array.
public typealias CFArray = NSArray
/// A set.
public typealias CFSet = NSSet
/// Bytes.
public typealias CFData = NSData
/// A moment.
public typealias CFDate = NSDate
/// A URL.
public typealias CFURL = NSURL
/// A number.
public typealias CFNumber = NSNumber
/// A boolean.
public typealias CFBoolean = NSNumber
/// An error.
public typealias CFError = NSError

/// A status code of a Security function; 0 is success.
public typealias OSStatus = Int32
/// A set of flags.
public typealias CFOptionFlags = UInt
/// A count or a position.
public typealias CFIndex = Int
/// The number of a type, for `CFGetTypeID`.
public typealias CFTypeID = UInt

/// An allocator; accepted wherever Apple's functions take one, and without effect.
public final class CFAllocator: Sendable {
    init() {}
}

/// The allocator that everybody passes.
public let kCFAllocatorDefault: CFAllocator! = nil
/// The allocator for memory that nobody frees: bytes given with it stay the caller's.
public let kCFAllocatorNull: CFAllocator! = CFAllocator()
/// True, as an object.
public let kCFBooleanTrue: CFBoolean! = true
/// False, as an object.
public let kCFBooleanFalse: CFBoolean! = false
/// The key of a bundle's identifier in its property list.
@safe nonisolated(unsafe) public let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"
