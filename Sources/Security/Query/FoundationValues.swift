// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobMemory
internal import KeyfobModel

/// The boolean that a dictionary holds, or nil if it is none: 1 and 0 are numbers.
func boolean(_ value: Any) -> Bool? {
    // Most booleans come out of a dictionary as Swift's own, and the cast to a class is the dearer one.
    if type(of: value) == Bool.self { return value as? Bool }
    guard let number = value as? NSNumber else { return nil }
    if number === kCFBooleanTrue { return true }
    return number === kCFBooleanFalse ? false : nil
}

/// The integer that a dictionary holds, or nil if it is a boolean, has a fraction, or does not fit 64 bits.
func integer(_ value: Any) -> Int64? {
    guard let number = value as? NSNumber, boolean(number) == nil else { return nil }
    switch unsafe number.objCType.pointee {
    case CChar(UInt8(ascii: "f")), CChar(UInt8(ascii: "d")): return Int64(exactly: number.doubleValue)
    case CChar(UInt8(ascii: "Q")): return Int64(exactly: number.uint64Value)
    default: return number.int64Value
    }
}

extension WipedBytes {
    /// The bytes of `data`, which stays the caller's.
    init(_ data: Data) {
        unsafe self = data.withUnsafeBytes { unsafe WipedBytes(copying: RawSpan(_unsafeBytes: $0)) }
    }
}

extension AttributeValue {
    /// A value out of a dictionary, normalised; nil if the kind does not accept it.
    init?(_ value: Any, as kind: AttributeKind) {
        switch kind {
        case .blob: self.init(blob: value)
        case .data: self.init(data: value)
        case .number: self.init(number: value)
        case .date: self.init(date: value)
        case .text: self.init(text: value)
        case .accessControl: return nil
        }
    }

    private init?(blob value: Any) {
        if let text = value as? String {
            self = .text(text)
        } else if let data = value as? Data {
            self = .data(WipedBytes(data))
        } else if let number = integer(value) {
            self = .number(number)
        } else {
            return nil
        }
    }

    private init?(data value: Any) {
        guard let blob = AttributeValue(blob: value) else { return nil }
        self = .data(blob.withComparisonBytes(as: .data) { WipedBytes(copying: $0) })
    }

    private init?(number value: Any) {
        if let text = value as? String {
            if let number = Int32(text), String(number) == text {
                self = .number(Int64(number))
            } else {
                self = .text(text)
            }
        } else if let flag = boolean(value) {
            self = .number(flag ? 1 : 0)
        } else if let number = integer(value) {
            self = .number(number)
        } else {
            return nil
        }
    }

    private init?(date value: Any) {
        guard let date = value as? Date, date.timeIntervalSinceReferenceDate.isFinite else { return nil }
        self = .date(date.timeIntervalSinceReferenceDate)
    }

    private init?(text value: Any) {
        if let text = value as? String {
            self = .text(text)
        } else if let data = value as? Data, String(validating: data, as: UTF8.self) != nil {
            self = .text(WipedBytes(data))
        } else if let uuid = value as? UUID {
            self = .text(uuid.uuidString)
        } else {
            return nil
        }
    }
}
