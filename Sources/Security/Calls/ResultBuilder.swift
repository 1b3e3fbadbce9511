// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
internal import Foundation
internal import KeyfobMemory
internal import KeyfobModel

/// Makes the object that a caller gets; the only place where a secret becomes `Data`, which is then the caller's.
///
/// | asked for | one item |
/// |---|---|
/// | nothing, or a reference alone | nil: passwords have none |
/// | data, or a persistent reference | `Data` |
/// | attributes, or two and more | a dictionary; with a reference among them it names the class |
struct ResultBuilder {
    private let returns: ReturnFlags
    private let isArray: Bool

    init(_ returns: ReturnFlags, isArray: Bool) {
        self.returns = returns
        self.isArray = isArray
    }

    /// The object for the caller's pointer, or nil: there is nothing to give.
    func object(from answer: borrowing MatchResult) -> CFTypeRef? {
        guard !returns.isEmpty else { return nil }
        guard isArray else {
            guard let first = answer.items.first else { return nil }
            return object(for: first, in: answer)
        }
        var objects: [AnyObject] = []
        objects.reserveCapacity(answer.items.count)
        for item in answer.items {
            // Items that have no value are left out of an array of values.
            if let object = object(for: item, in: answer) { objects.append(object) }
        }
        return NSArray(array: objects)
    }

    // MARK: - One item

    private func object(for item: ItemResult, in answer: borrowing MatchResult) -> AnyObject? {
        switch returns {
        case .data: return value(of: item, in: answer)
        case .persistentReference: return item.persistentReference.map { data($0.bytes) }
        case .reference: return nil
        default: return dictionary(for: item, in: answer)
        }
    }

    private func dictionary(for item: ItemResult, in answer: borrowing MatchResult) -> NSDictionary {
        var keys: [NSObject] = []
        var values: [Any] = []
        func put(_ key: String, _ value: AnyObject) {
            keys.append(NSString(string: key))
            values.append(value)
        }
        if returns.contains(.attributes) {
            for (name, value) in item.attributes ?? [:] { put(name.code, object(for: value)) }
            if let accessControl = item.accessControl { put("accc", SecAccessControl(accessControl)) }
        }
        if returns.contains(.data), let secret = value(of: item, in: answer) { put("v_Data", secret) }
        if returns.contains(.persistentReference), let reference = item.persistentReference {
            put("v_PersistentRef", data(reference.bytes))
        }
        if returns.contains(.reference) { put("class", NSString(string: item.itemClass.code)) }
        return NSDictionary(objects: values, forKeys: keys)
    }

    private func value(of item: ItemResult, in answer: borrowing MatchResult) -> NSData? {
        answer.withValue(of: item) { bytes in
            guard let bytes else { return nil }
            return data(bytes)
        }
    }

    private func object(for value: AttributeValue) -> AnyObject {
        switch value {
        case .text(let text): NSString(string: text.string)
        case .data(let bytes): bytes.withBytes { data($0) }
        case .number(let number): NSNumber(value: number)
        case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
        }
    }

    /// An object whose bytes are wiped when its last user lets go, so that what a caller did not copy does not stay.
    private func data(_ bytes: RawSpan) -> NSData {
        guard bytes.byteCount > 0 else { return NSData() }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.byteCount, alignment: 16)
        unsafe bytes.withUnsafeBytes { unsafe copy.copyMemory(from: $0) }
        guard let address = copy.baseAddress else { return NSData() }
        return unsafe NSData(bytesNoCopy: address, length: copy.count) { address, count in
            unsafe keyfob_zeroise(address, count)
            unsafe address.deallocate()
        }
    }

    private func data(_ bytes: [UInt8]) -> NSData {
        unsafe data(bytes.span.bytes)
    }
}
