// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobTestSupport
import Testing

/// docs/tokens.md against the table that the contract is tested with.
@Suite struct DocumentTests {
    private static let path = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/docs/tokens.md"

    /// The rows of both tables, which have as many columns.
    private func rows() throws -> [[String]] {
        try String(contentsOfFile: Self.path, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| ") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
            .filter { $0.count == TokenKind.allCases.count + 1 }
    }

    @Test func `The table of docs/tokens.md is that of the tests`() throws {
        let rows = try rows().prefix { $0.first != "kind" }
        #expect(rows.first.map { Array($0.dropFirst()) } == TokenKind.allCases.map { "`\($0.rawValue)`" })
        let coded = TokenPromises.table.map { [$0.promise.rawValue] + $0.answers.map(\.rawValue) }
        #expect(Array(rows.dropFirst()) == coded)
    }

    @Test func `The table of keychains of docs/tokens.md is that of the tests`() throws {
        let rows = try rows().filter {
            $0.first == "kind" || KeychainPromises.table.map(\.cells.first).contains($0.first)
        }
        #expect(Array(rows.dropFirst()) == KeychainPromises.table.map(\.cells))
    }

    @Test func `Every promise has one row, and an answer for every kind`() {
        #expect(TokenPromises.table.map(\.promise) == Promise.allCases)
        for row in TokenPromises.table { #expect(row.answers.count == TokenKind.allCases.count) }
    }

    @Test func `Every kind has a folder of scripts`() throws {
        let root = Self.path.dropLast("docs/tokens.md".count)
        for kind in TokenKind.allCases {
            #expect(FileManager.default.isExecutableFile(atPath: "\(root)tokens/\(kind.rawValue)/make"))
        }
    }
}
