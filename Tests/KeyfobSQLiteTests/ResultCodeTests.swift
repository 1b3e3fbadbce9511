// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import KeyfobSQLite

struct ResultCodeTests {
    @Test func `A primary code matches its extended codes and no others`() {
        #expect(ResultCode.constraint ~= .constraintUnique)
        #expect(ResultCode.constraint ~= .constraint)
        #expect(!(ResultCode.constraintUnique ~= .constraint))
        #expect(!(ResultCode.full ~= .constraintUnique))
    }

    @Test(
        arguments: [
            (0, "SQLITE_OK"), (13, "SQLITE_FULL"), (2067, "SQLITE_CONSTRAINT_UNIQUE"), (26, "SQLITE_NOTADB"),
            (778, "SQLITE_IOERR_WRITE"), (101, "SQLITE_DONE"), (19 | 99 << 8, "SQLITE_CONSTRAINT(25363)"),
            (77, "SQLITE_(77)"),
        ] as [(Int32, String)])
    func `A code has its name in sqlite3.h, an unknown one its number`(_ number: Int32, _ name: String) {
        #expect(ResultCode(rawValue: number).name == name)
    }

    @Test func `Every primary code has a name of its own`() {
        #expect(Set(ResultCode.Primary.allCases.map(\.name)).count == ResultCode.Primary.allCases.count)
    }
}
