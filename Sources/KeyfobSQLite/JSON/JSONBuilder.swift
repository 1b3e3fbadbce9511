// SPDX-License-Identifier: Apache-2.0

/// One row of `json_tree`: a value, and where it hangs.
struct JSONNode {
    enum Content {
        case leaf(JSONValue)
        case array
        case object
        case unknown
    }

    let id: Int64
    /// Nil for the value that is the whole document.
    let parent: Int64?
    /// The name of an object's member; the index, as text, of an array's element.
    let key: String
    let content: Content

    /// The current row of a statement with the columns id, parent, key, type, atom.
    init(_ row: borrowing Statement) {
        id = row.integer(0)
        parent = row.isNull(1) ? nil : row.integer(1)
        key = row.text(2)
        content =
            switch row.text(3) {
            case "null": .leaf(.null)
            case "true": .leaf(.bool(true))
            case "false": .leaf(.bool(false))
            case "integer": .leaf(row.isInteger(4) ? .integer(row.integer(4)) : .real(row.real(4)))
            case "real": .leaf(.real(row.real(4)))
            case "text": .leaf(.string(row.text(4)))
            case "array": .array
            case "object": .object
            default: .unknown
            }
    }
}

/// Puts the rows of `json_tree`, each after its parent and before its next sibling, together again.
struct JSONBuilder {
    private struct Container {
        let id: Int64
        let key: String
        let isObject: Bool
        var members: [(String, JSONValue)] = []
        var names: Set<[UInt8]> = []

        var value: JSONValue { isObject ? .object(members) : .array(members.map { $0.1 }) }
    }

    private var open: [Container] = []
    private var root: JSONValue?

    /// - Throws: `.duplicateName`; `.malformed` for a row that hangs nowhere.
    mutating func add(_ node: JSONNode) throws(JSONError) {
        while let last = open.last, last.id != node.parent { try closeLast() }
        guard root == nil, open.isEmpty == (node.parent == nil) else { throw JSONError(.malformed) }
        switch node.content {
        case .leaf(let value): try attach(value, key: node.key)
        case .array: open.append(Container(id: node.id, key: node.key, isObject: false))
        case .object: open.append(Container(id: node.id, key: node.key, isObject: true))
        case .unknown: throw JSONError(.malformed)
        }
    }

    /// The whole document, or nil if there was no row.
    ///
    /// - Throws: `.duplicateName`, for a container is attached when it is complete.
    mutating func finish() throws(JSONError) -> JSONValue? {
        while !open.isEmpty { try closeLast() }
        return root
    }

    private mutating func closeLast() throws(JSONError) {
        guard let last = open.popLast() else { return }
        try attach(last.value, key: last.key)
    }

    private mutating func attach(_ value: JSONValue, key: String) throws(JSONError) {
        guard !open.isEmpty else {
            root = value
            return
        }
        let top = open.count - 1
        if open[top].isObject, !open[top].names.insert(Array(key.utf8)).inserted {
            throw JSONError(.duplicateName(key))
        }
        open[top].members.append((key, value))
    }
}
