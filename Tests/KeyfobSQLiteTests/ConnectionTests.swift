// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import KeyfobSQLite

struct ConnectionTests {
    private let connection: Connection
    private let counter = StatementCounter()
    private let insert = NamedStatement("insert", "INSERT INTO t (a, b) VALUES (?1, ?2)")
    private let select = NamedStatement("select", "SELECT a, b FROM t ORDER BY a")
    private let count = NamedStatement("count", "SELECT count(*) FROM t")

    init() throws {
        connection = try Connection(path: ":memory:", mode: .create, counter: counter)
        try connection.runScript(NamedStatement("schema", "CREATE TABLE t (a INTEGER UNIQUE, b BLOB) STRICT"))
    }

    private func add(_ number: Int64, _ bytes: [UInt8]? = nil) throws(SQLiteError) {
        let statement = try connection.statement(insert)
        try statement.bind(1, number)
        try statement.bind(2, bytes)
        try statement.finish()
    }

    @Test func `Bound values come back as they were`() throws {
        try add(.min, [1, 2, 0, 3])
        try add(.max, [])
        let row = try connection.statement(select)
        #expect(try row.step() == true)
        #expect(row.integer(0) == .min)
        #expect(row.bytes(1) == [1, 2, 0, 3])
        #expect(try row.step() == true)
        #expect(row.integer(0) == .max)
        #expect(row.optionalBytes(1) == [])
        #expect(try row.step() == false)
    }

    @Test func `NULL and an empty blob are different`() throws {
        try add(1, nil)
        let row = try connection.statement(select)
        #expect(try row.step() == true)
        #expect(row.isNull(1) == true)
        #expect(row.optionalBytes(1) == nil)
    }

    @Test(arguments: ["", "a", "\u{0}b", "é\u{1F600}"])
    func `Text comes back as it was`(_ text: String) throws {
        let row = try connection.statement(NamedStatement("echo", "SELECT ?1"))
        try row.bind(1, text)
        #expect(try row.step() == true)
        #expect(row.isNull(0) == false)
        #expect(row.text(0) == text)
    }

    @Test func `A violated constraint has its extended code and the statement's name`() throws {
        try add(1)
        let error = #expect(throws: SQLiteError.self) { try add(1) }
        #expect(error == SQLiteError(.constraintUnique, statement: "insert"))
    }

    @Test func `After an error the statement can be used again`() throws {
        try add(1)
        #expect(throws: SQLiteError.self) { try add(1) }
        try add(2)
        #expect(try connection.integer(count) == 2)
    }

    @Test func `Bindings are forgotten when the use ends`() throws {
        try add(1, [1])
        let statement = try connection.statement(insert)
        try statement.bind(1, 2)
        try statement.finish()
        let row = try connection.statement(select)
        #expect(try row.step() == true)
        #expect(try row.step() == true)
        #expect(row.isNull(1) == true)
    }

    @Test func `Faulty SQL is an error when it is prepared`() {
        let error = #expect(throws: SQLiteError.self) { try connection.run(NamedStatement("faulty", "SELEKT 1")) }
        #expect(error == SQLiteError(.error, statement: "faulty"))
    }

    @Test func `A rolled back transaction leaves nothing`() throws {
        try connection.beginImmediate()
        try add(1)
        #expect(connection.isInTransaction)
        try connection.rollback()
        #expect(!connection.isInTransaction)
        #expect(try connection.integer(count) == 0)
    }

    @Test func `A rolled back savepoint leaves what was before it`() throws {
        try connection.beginImmediate()
        try add(1)
        try connection.beginSavepoint()
        try add(2)
        try connection.rollbackSavepoint()
        try connection.beginSavepoint()
        try add(3)
        try connection.releaseSavepoint()
        try connection.commit()
        #expect(try connection.integer(NamedStatement("sum", "SELECT sum(a) FROM t")) == 4)
    }

    @Test func `Each use of a statement is counted`() throws {
        let before = counter.count
        try add(1)
        try add(2)
        _ = try connection.integer(count)
        #expect(counter.count - before == 3)
    }

    @Test func `Two users of one prepared statement trap`() async {
        await #expect(processExitsWith: .failure) {
            let connection = try Connection(path: ":memory:", mode: .create)
            let named = NamedStatement("one", "SELECT 1")
            let first = try connection.statement(named)
            let second = try connection.statement(named)
            _ = try (first.step(), second.step())
        }
    }

    @Test func `A missing file is cannotOpen`() {
        let error = #expect(throws: SQLiteError.self) {
            _ = try Connection(path: "/tmp/keyfob-none/none.db", mode: .readWrite)
        }
        #expect(error?.code.primary == .cannotOpen)
        #expect(error?.systemErrno == 2)
    }
}
