// SPDX-License-Identifier: Apache-2.0
internal import KeyfobPlatform
internal import KeyfobWords

/// Rows under headings, each column as wide as its widest cell.
package struct TextTable: Sendable {
    private var rows: [[String]] = []
    /// The widest that a cell may be; what is longer is cut.
    ///
    /// Nil: no limit.
    private let maximumWidth: Int?

    package init(_ headings: [String], maximumWidth: Int? = nil) {
        self.maximumWidth = maximumWidth
        rows = [headings.map { Printable.whole($0) }]
    }

    /// Adds a row of as many cells as there are headings; unsafe characters are escaped.
    package mutating func append(_ cells: [String]) {
        precondition(cells.count == rows[0].count, "a row has a cell for each heading")
        rows.append(
            cells.map { cell in
                maximumWidth.map { Printable.text(cell, columns: $0) } ?? Printable.whole(cell)
            })
    }

    /// The lines, the last cell of each without trailing blanks, each ended by a line feed.
    package var text: String {
        let widths = rows[0].indices.map { column in rows.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        var result = ""
        for row in rows {
            var line = ""
            var pending = 0
            for (cell, width) in zip(row, widths) {
                if !cell.isEmpty {
                    line += String(repeating: " ", count: pending) + cell
                    pending = 0
                }
                pending += width - DisplayWidth.of(cell) + 2
            }
            result += line + "\n"
        }
        return result
    }
}
