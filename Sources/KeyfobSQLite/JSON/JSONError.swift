// SPDX-License-Identifier: Apache-2.0

/// Why a text is not the JSON document that was asked for.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Fault: Hashable, Sendable {
        case malformed
        /// The escape `\u0000` or the byte 0: legal or not, no text here holds it.
        case zeroCharacter
        case duplicateName(String)
        /// Arrays and objects inside each other beyond the limit.
        case tooDeep(limit: Int)
        /// More bytes than the limit.
        case tooLarge(limit: Int)
        /// The reader itself failed.
        case sqlite(SQLiteError)
    }

    package let fault: Fault
    /// Where, in bytes from the start of the text; nil where no place is to blame.
    package let offset: Int?

    package init(_ fault: Fault, offset: Int? = nil) {
        self.fault = fault
        self.offset = offset
    }

    /// The fault in words, for messages: `malformed at byte 17`.
    package var description: String {
        let what =
            switch fault {
            case .malformed: "malformed JSON"
            case .zeroCharacter: "zero character"
            case .duplicateName(let name): "name \"\(name)\" occurs twice in an object"
            case .tooDeep(let limit): "more than \(limit) levels"
            case .tooLarge(let limit): "more than \(limit) bytes"
            case .sqlite(let error): "\(error.statement): \(error.code.name)"
            }
        guard let offset else { return what }
        return "\(what) at byte \(offset)"
    }
}
