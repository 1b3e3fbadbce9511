// SPDX-License-Identifier: Apache-2.0

/// Why bytes are no message: the fault and where it is; never what stands there.
package struct WireError: Error, Hashable, Sendable {
    /// What is wrong.
    package enum Fault: String, Hashable, Sendable {
        case truncated = "ends too early"
        case tooLarge = "is larger than the protocol allows"
        case reservedBits = "has reserved bits set"
        case unknownOperation = "asks for an unknown operation"
        case unknownField = "has an unknown field"
        case unorderedField = "has a field twice or out of order"
        case missingField = "lacks a field"
        case badValue = "has a field of an impossible value"
        case trailingBytes = "has bytes after its end"
        case noMemory = "does not fit into secret memory"
    }

    /// Bytes from the start of the frame's body (of the frame, for a fault of the header).
    package let offset: Int
    package let fault: Fault

    package init(at offset: Int, _ fault: Fault) {
        self.offset = offset
        self.fault = fault
    }
}
