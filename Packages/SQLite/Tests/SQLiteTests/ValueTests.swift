import SQLite
import Testing

@Suite("Values", .tags(.small))
struct ValueTests {
    private let database: Database

    init() throws { database = try Database.inMemory() }

    @Test(
        "A value is read as it was stored",
        arguments: [
            0, -1, Int64.max, Int64.min, 0.5, -0.0, Double.infinity, Double.leastNonzeroMagnitude,
            Double.greatestFiniteMagnitude, "", "plain", "a\0b\0", "\0", "π 🧱 e\u{301} \u{10FFFF}", [UInt8](),
            [0 as UInt8],
            [0, 255, 0] as [UInt8], true, false, Int?.none,
        ] as [any SQLValueConvertible & Sendable])
    func roundTrip(_ stored: any SQLValueConvertible & Sendable) throws {
        let value = stored.sqlValue
        try database.execute("CREATE TABLE t (v)")
        try database.execute("INSERT INTO t VALUES (?)", value)
        let read = try #require(try database.value("SELECT v FROM t", as: SQLValue.self))
        #expect(read == value)
        let kind = value.storageClass.rawValue
        #expect(try database.value("SELECT typeof(v) FROM t", as: String.self) == kind)
    }

    @Test("The bytes of a text are preserved, even if equal texts have other bytes")
    func textBytes() throws {
        let decomposed = "e\u{301}\0x"
        let read = try #require(try database.value("SELECT ?", decomposed, as: String.self))
        #expect(Array(read.utf8) == Array(decomposed.utf8))
        #expect(try database.value("SELECT length(CAST(? AS BLOB))", decomposed, as: Int.self) == 5)
    }

    @Test("Values of Swift types can be stored and read")
    func swiftTypes() throws {
        #expect(try database.value("SELECT ?", Int.min, as: Int.self) == .min)
        #expect(try database.value("SELECT ?", Int64.max, as: Int64.self) == .max)
        #expect(try database.value("SELECT ?", true, as: Bool.self) == true)
        #expect(try database.value("SELECT ?", 1.5, as: Double.self) == 1.5)
        #expect(try database.value("SELECT ?", [1, 2] as [UInt8], as: [UInt8].self) == [1, 2])
        #expect(try database.value("SELECT ?", nil, as: Int?.self) == .some(nil))
        #expect(try database.value("SELECT ?", Int?.none, as: String?.self) == .some(nil))
        #expect(try database.value("SELECT ?", Int?.some(3), as: Int?.self) == 3)
        #expect(try database.value("SELECT ?", Channel.beta, as: Channel.self) == .beta)
        #expect(try database.value("SELECT 7", as: Double.self) == 7)
    }

    @Test(
        "A value of another type is rejected and never converted",
        arguments: [
            ("'12'", StorageClass.text), ("1.0", .real), ("x'00'", .blob), ("NULL", .null),
        ])
    func wrongType(sql: String, found: StorageClass) throws {
        let error = try failure { try database.value("SELECT \(sql) AS v", as: Int.self) }
        #expect(error.reason == .columnType(column: 0, name: "v", expected: "Int", found: found))
        #expect(error.operation == .read && error.code == .mismatch)
    }

    @Test("A value that the requested type cannot represent is rejected")
    func noSuchValue() throws {
        #expect(try failure { try database.value("SELECT 2", as: Bool.self) }.code == .mismatch)
        #expect(try failure { try database.value("SELECT 'gamma'", as: Channel.self) }.code == .mismatch)
        #expect(try failure { try database.value("SELECT 'x'", as: Int?.self) }.code == .mismatch)
        #expect(try failure { try database.value("SELECT 9007199254740993", as: Double.self) }.code == .mismatch)
        #expect(try failure { try database.value("SELECT 1", as: String.self) }.code == .mismatch)
        #expect(try failure { try database.value("SELECT 'x'", as: [UInt8].self) }.code == .mismatch)
    }

    @Test("A value that is not a number is rejected, although SQLite would store NULL")
    func notANumber() throws {
        #expect(try failure { try database.execute("SELECT ?", Double.nan) }.reason == .notANumber(parameter: 1))
    }

    @Test("A text that is not UTF-8 is rejected and not repaired")
    func invalidText() throws {
        let error = try failure { try database.value("SELECT CAST(x'61ff' AS TEXT) AS v", as: String.self) }
        #expect(error.reason == .invalidText(column: 0, name: "v"))
    }
}

private enum Channel: String, SQLValueConvertible {
    case stable
    case beta
}
