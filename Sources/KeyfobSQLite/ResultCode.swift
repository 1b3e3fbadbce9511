// SPDX-License-Identifier: Apache-2.0

/// A result code of SQLite, extended where SQLite gave one (sqlite.org/rescode.html).
///
/// A primary code as a pattern matches all its extended ones: `case .constraint:` matches `.constraintUnique`. An
/// unknown number is kept.
package struct ResultCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The low byte as a case, or nil for a number that SQLite 3.40 does not have.
    package var primary: Primary? { Primary(rawValue: rawValue & 0xFF) }

    /// Whether `code` is `pattern` or one of its extended codes.
    package static func ~= (pattern: Self, code: Self) -> Bool {
        pattern.rawValue > 0xFF ? pattern == code : pattern.rawValue == code.rawValue & 0xFF
    }

    /// The primary result codes, a closed set so that a `switch` over them can be complete.
    package enum Primary: Int32, CaseIterable, Hashable, Sendable {
        case ok = 0
        case error = 1
        case `internal` = 2
        case permission = 3
        case abort = 4
        case busy = 5
        case locked = 6
        case noMemory = 7
        case readOnly = 8
        case interrupt = 9
        case inputOutput = 10
        case corrupt = 11
        case notFound = 12
        case full = 13
        case cannotOpen = 14
        case `protocol` = 15
        case empty = 16
        case schema = 17
        case tooBig = 18
        case constraint = 19
        case mismatch = 20
        case misuse = 21
        case noLargeFiles = 22
        case authorization = 23
        case format = 24
        case range = 25
        case notADatabase = 26
        case notice = 27
        case warning = 28
        case row = 100
        case done = 101
    }

    package static let ok = Self(rawValue: 0)
    package static let error = Self(rawValue: 1)
    package static let busy = Self(rawValue: 5)
    package static let noMemory = Self(rawValue: 7)
    package static let readOnly = Self(rawValue: 8)
    package static let inputOutput = Self(rawValue: 10)
    package static let corrupt = Self(rawValue: 11)
    package static let full = Self(rawValue: 13)
    package static let cannotOpen = Self(rawValue: 14)
    package static let constraint = Self(rawValue: 19)
    package static let misuse = Self(rawValue: 21)
    package static let notADatabase = Self(rawValue: 26)
    package static let row = Self(rawValue: 100)
    package static let done = Self(rawValue: 101)
    /// `SQLITE_IOERR_NOMEM`.
    package static let inputOutputNoMemory = Self(rawValue: 10 | 12 << 8)
    /// `SQLITE_IOERR_DATA`: a page's checksum is wrong.
    package static let inputOutputData = Self(rawValue: 10 | 32 << 8)
    /// `SQLITE_IOERR_CORRUPTFS`.
    package static let inputOutputCorruptFileSystem = Self(rawValue: 10 | 33 << 8)
    /// `SQLITE_CONSTRAINT_PRIMARYKEY`.
    package static let constraintPrimaryKey = Self(rawValue: 19 | 6 << 8)
    /// `SQLITE_CONSTRAINT_UNIQUE`.
    package static let constraintUnique = Self(rawValue: 19 | 8 << 8)
    /// `SQLITE_CONSTRAINT_FOREIGNKEY`.
    package static let constraintForeignKey = Self(rawValue: 19 | 3 << 8)
    /// `SQLITE_CONSTRAINT_CHECK`.
    package static let constraintCheck = Self(rawValue: 19 | 1 << 8)
}
