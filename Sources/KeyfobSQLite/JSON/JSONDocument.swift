// SPDX-License-Identifier: Apache-2.0

/// Reads JSON text into a `JSONValue` by way of SQLite's `json_tree`, and is stricter than it.
package enum JSONDocument {
    private static let tree = NamedStatement(
        "jsonTree", "SELECT id, parent, key, type, atom FROM json_tree(?1)")

    /// The value that `text` holds.
    ///
    /// - Parameters:
    ///   - maximumSize: bytes of UTF-8.
    ///   - maximumDepth: arrays and objects inside each other; `[[1]]` has two levels.
    /// - Throws: `JSONError`.
    package static func parse(
        _ text: String, maximumSize: Int = 1 << 20, maximumDepth: Int = 32
    ) throws(JSONError) -> JSONValue {
        guard text.utf8.count <= maximumSize else { throw JSONError(.tooLarge(limit: maximumSize)) }
        try JSONScanner.check(text, maximumDepth: maximumDepth)
        let nodes: [JSONNode]
        do { nodes = try rows(text) } catch { throw JSONError(.sqlite(error)) }
        var builder = JSONBuilder()
        for node in nodes { try builder.add(node) }
        guard let value = try builder.finish() else { throw JSONError(.malformed) }
        return value
    }

    private static func rows(_ text: String) throws(SQLiteError) -> [JSONNode] {
        let connection = try Connection(path: ":memory:", mode: .readWrite)
        let row = try connection.statement(tree)
        try row.bind(1, text)
        var nodes: [JSONNode] = []
        while try row.step() { nodes.append(JSONNode(row)) }
        return nodes
    }
}
