import Console
import Testing

@testable import AppHost

@Suite("Results of handlers as JSON", .tags(.small))
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
}
