// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The numbers of the types that `CFGetTypeID` tells apart; 0 is a type that it does not know.
private enum KnownType: CFTypeID {
    case string = 1, number, boolean, data, date, dictionary, array, set, error, url
    case key, certificate, identity, accessControl, trust, policy
}

/// The type of an object: compare it with what the `…GetTypeID` functions return.
///
/// Swift values that were put in a variable of type `Any` arrive here as the class that they bridge to.
public func CFGetTypeID(_ object: CFTypeRef?) -> CFTypeID {
    let found: KnownType? =
        switch object {
        case let number as NSNumber: number === kCFBooleanTrue || number === kCFBooleanFalse ? .boolean : .number
        case is NSString: .string
        case is NSData: .data
        case is NSDate: .date
        case is NSDictionary: .dictionary
        case is NSArray: .array
        case is NSSet: .set
        case is NSError: .error
        case is NSURL: .url
        case is SecAccessControl: .accessControl
        case is SecKey: .key
        case is SecCertificate: .certificate
        case is SecIdentity: .identity
        case is SecTrust: .trust
        case is SecPolicy: .policy
        default: nil
        }
    return found?.rawValue ?? 0
}

/// The type of strings.
public func CFStringGetTypeID() -> CFTypeID { KnownType.string.rawValue }
/// The type of numbers that are no booleans.
public func CFNumberGetTypeID() -> CFTypeID { KnownType.number.rawValue }
/// The type of booleans.
public func CFBooleanGetTypeID() -> CFTypeID { KnownType.boolean.rawValue }
/// The type of bytes.
public func CFDataGetTypeID() -> CFTypeID { KnownType.data.rawValue }
/// The type of moments.
public func CFDateGetTypeID() -> CFTypeID { KnownType.date.rawValue }
/// The type of dictionaries.
public func CFDictionaryGetTypeID() -> CFTypeID { KnownType.dictionary.rawValue }
/// The type of arrays.
public func CFArrayGetTypeID() -> CFTypeID { KnownType.array.rawValue }
/// The type of sets.
public func CFSetGetTypeID() -> CFTypeID { KnownType.set.rawValue }
/// The type of errors.
public func CFErrorGetTypeID() -> CFTypeID { KnownType.error.rawValue }
/// The type of URLs.
public func CFURLGetTypeID() -> CFTypeID { KnownType.url.rawValue }
/// The type of keys.
public func SecKeyGetTypeID() -> CFTypeID { KnownType.key.rawValue }
/// The type of certificates.
public func SecCertificateGetTypeID() -> CFTypeID { KnownType.certificate.rawValue }
/// The type of identities.
public func SecIdentityGetTypeID() -> CFTypeID { KnownType.identity.rawValue }
/// The type of trust objects.
public func SecTrustGetTypeID() -> CFTypeID { KnownType.trust.rawValue }
/// The type of policies.
public func SecPolicyGetTypeID() -> CFTypeID { KnownType.policy.rawValue }
/// The type of access control objects.
public func SecAccessControlGetTypeID() -> CFTypeID { KnownType.accessControl.rawValue }

/// Whether two objects are equal in content.
public func CFEqual(_ left: CFTypeRef?, _ right: CFTypeRef?) -> Bool {
    switch (left, right) {
    case (let left as NSObject, let right as NSObject): left.isEqual(right)
    case (let left as SecAccessControl, let right as SecAccessControl): left == right
    case (let left as SecPolicy, let right as SecPolicy): left == right
    default: left === right
    }
}
