// SPDX-License-Identifier: Apache-2.0

/// A JSON value (RFC 8259).
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number with a fraction or exponent, or an integer beyond `Int64`.
    case real(Double)
    case string(String)
    case array([JSONValue])
    /// Members in the order of the text; no name occurs twice.
    case object([(String, JSONValue)])

    /// The member of an object with that name; nil if there is none or this is no object.
    package subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.0.utf8.elementsEqual(name.utf8) }?.1
    }
}

extension JSONValue: Equatable {
    /// Strings and names are compared by their bytes, without normalisation; the order of members counts.
    package static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)):
            left.elementsEqual(right) { $0.0.utf8.elementsEqual($1.0.utf8) && $0.1 == $1.1 }
        default: false
        }
    }
}
