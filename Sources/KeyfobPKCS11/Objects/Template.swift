// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit

/// Attributes of an object to be made or searched, in the order they were set.
///
/// Not for secrets: its values live on the ordinary heap.
package struct Template: Hashable, Sendable {
    private struct Entry: Hashable {
        var type: AttributeType
        var offset: Int
        var count: Int
        /// The attributes of an attribute that is itself a template; its bytes are in `values` too.
        var nested: [Entry] = []
    }

    private var entries: [Entry] = []
    private var values: [UInt8] = []

    /// No attributes: a search with it finds all objects.
    package init() {}

    /// The number of attributes.
    package var count: Int { entries.count }

    /// Adds bytes.
    package mutating func set(_ type: AttributeType, _ value: [UInt8]) {
        append(type) { $0.append(contentsOf: value) }
    }

    /// Adds the UTF-8 of a text.
    package mutating func set(_ type: AttributeType, _ value: String) {
        append(type) { $0.append(contentsOf: value.utf8) }
    }

    /// Adds a `CK_BBOOL`.
    package mutating func set(_ type: AttributeType, _ value: Bool) {
        append(type) { $0.append(value ? 1 : 0) }
    }

    /// Adds a `CK_ULONG`.
    package mutating func set(_ type: AttributeType, _ value: UInt) {
        append(type) { bytes in
            unsafe withUnsafeBytes(of: value) { unsafe bytes.append(contentsOf: $0) }
        }
    }

    /// Adds a template as a value (`CKA_UNWRAP_TEMPLATE`); one within that is left out.
    package mutating func set(_ type: AttributeType, _ value: Template) {
        let offset = values.count
        values.append(contentsOf: value.values)
        let nested = value.entries.map { Entry(type: $0.type, offset: $0.offset + offset, count: $0.count) }
        entries.append(Entry(type: type, offset: offset, count: value.values.count, nested: nested))
    }

    /// Adds `CKA_CLASS`.
    package mutating func set(_ value: ObjectClass) {
        set(.class, value.rawValue)
    }

    /// Adds `CKA_KEY_TYPE`.
    package mutating func set(_ value: KeyType) {
        set(.keyType, value.rawValue)
    }

    /// The template without an attribute, for tokens that do not know it.
    package func without(_ type: AttributeType) -> Template {
        var result = Template()
        for entry in entries where entry.type != type {
            guard entry.nested.isEmpty else {
                var inner = Template()
                for entry in entry.nested { inner.set(entry.type, bytes(of: entry)) }
                result.set(entry.type, inner)
                continue
            }
            result.set(entry.type, bytes(of: entry))
        }
        return result
    }

    /// Lends the attributes to a C function; never nil, which some modules refuse even where the count is 0.
    func withAttributes<R>(_ body: (UnsafeMutablePointer<CK_ATTRIBUTE>?, UInt) -> R) -> R {
        // The functions take mutable pointers and do not write (PKCS #11 v3.1 §5.7.1), so the copy is for form's sake.
        var bytes = values
        return unsafe bytes.withUnsafeMutableBytes { bytes in
            let nested = entries.reduce(0) { $0 + $1.nested.count }
            return unsafe withUnsafeTemporaryAllocation(
                of: CK_ATTRIBUTE.self, capacity: max(entries.count + nested, 1)
            ) { list in
                // Behind the attributes themselves lie those of the templates among them.
                var next = entries.count
                for (index, entry) in entries.enumerated() {
                    let first = next
                    for inner in entry.nested {
                        unsafe list.initializeElement(at: next, to: Self.attribute(inner, in: bytes))
                        next += 1
                    }
                    var attribute = unsafe Self.attribute(entry, in: bytes)
                    if !entry.nested.isEmpty, let base = list.baseAddress {
                        unsafe attribute.pValue = UnsafeMutableRawPointer(base + first)
                        unsafe attribute.ulValueLen = UInt(entry.nested.count * MemoryLayout<CK_ATTRIBUTE>.stride)
                    }
                    unsafe list.initializeElement(at: index, to: attribute)
                }
                return unsafe body(list.baseAddress, UInt(entries.count))
            }
        }
    }

    private static func attribute(_ entry: Entry, in bytes: UnsafeMutableRawBufferPointer) -> CK_ATTRIBUTE {
        let value = unsafe bytes.baseAddress.map { unsafe $0 + entry.offset }
        return unsafe CK_ATTRIBUTE(type: entry.type.rawValue, pValue: value, ulValueLen: UInt(entry.count))
    }

    private func bytes(of entry: Entry) -> [UInt8] { Array(values[entry.offset..<entry.offset + entry.count]) }

    private mutating func append(_ type: AttributeType, _ body: (inout [UInt8]) -> Void) {
        let offset = values.count
        body(&values)
        entries.append(Entry(type: type, offset: offset, count: values.count - offset))
        // A token may read a CK_ULONG as one, so every value begins at a multiple of its size.
        while values.count % MemoryLayout<UInt>.alignment != 0 { values.append(0) }
    }
}
