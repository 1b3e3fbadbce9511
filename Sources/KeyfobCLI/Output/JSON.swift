// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// A JSON value to be written (RFC 8259); members keep the order they are given in.
package enum JSON: Sendable {
    case null
    case bool(Bool)
    case number(Int64)
    case string(String)
    /// Bytes that are mostly text: a string if they are UTF-8, else `{"base64": "…"}`.
    case bytes(WipedBytes)
    case array([JSON])
    case object([(String, JSON)])

    /// The value on one line, without a line feed.
    package var text: String {
        var output: [UInt8] = []
        write(to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// An array with each element on a line of its own, so that people and `grep` can read it; ends with a line feed.
    package static func lines(_ elements: [JSON]) -> String {
        guard !elements.isEmpty else { return "[]\n" }
        return "[\n" + elements.map { "  " + $0.text }.joined(separator: ",\n") + "\n]\n"
    }

    private func write(to output: inout [UInt8]) {
        switch self {
        case .null: output += Array("null".utf8)
        case .bool(let value): output += Array((value ? "true" : "false").utf8)
        case .number(let value): output += Array(String(value).utf8)
        case .string(let value):
            WipedBytes(utf8: value).withBytes { JSONText.write($0) { output.append($0) } }
        case .bytes(let value): value.withBytes { JSONText.write($0) { output.append($0) } }
        case .array(let values):
            output.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { output += Array(", ".utf8) }
                value.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output += Array(", ".utf8) }
                JSON.string(member.0).write(to: &output)
                output += Array(": ".utf8)
                member.1.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }
}
