import Console
import Testing

@testable import AppHost

@Suite("Values and times as text", .tags(.small))
struct ValueJSONTests {
    private struct Receipt: CustomStringConvertible {
        let description = "order 7"
    }

    @Test("A value is JSON if it has a JSON representation, or else its description")
    func forms() {
        let rows: [(any Sendable, String)] = [
            ((), "null"), (true, "true"), (42, "42"), (1.5, "1.5"), ("a\"b", #""a\"b""#), (["a", "b"], #"["a","b"]"#),
            ([1, 2], "[1,2]"), (["b": 1, "a": 2], #"{"a":2,"b":1}"#), (["a": ["x"]], #"{"a":["x"]}"#),
            (Receipt(), #""order 7""#), (String?.none, "null"), (Optional("a"), #""a""#),
            (Optional(Receipt()), #""order 7""#),
            (["a", nil], #"["a",null]"#), (["a": Int?.none], #"{"a":null}"#), (Int??.some(nil), "null"),
        ]
        for (value, text) in rows { #expect(valueJSON(value).text() == text) }
    }

    @Test(
        "A timestamp is formatted by RFC 3339 in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_795_262_400, "2026-11-21T12:00:00Z"), (951_827_696, "2000-02-29T12:34:56Z"),
            (-1, "1969-12-31T23:59:59Z"), (-12_219_292_800, "1582-10-15T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func form(seconds: Int64, expected: String) { #expect(timestamp(seconds) == expected) }

    @Test(
        "A time before the Gregorian calendar or after the year 9999 is printed as a number",
        arguments: [Int64.max, Int64.min, 253_402_300_800, -12_219_292_801])
    func beyond(seconds: Int64) { #expect(timestamp(seconds) == String(seconds)) }
}
