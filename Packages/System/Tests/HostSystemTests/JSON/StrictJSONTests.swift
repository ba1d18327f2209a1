import Glibc
import HostSystem
import PluginCore
import Testing

/// Returns the processor time that the current thread spends in a closure, which does not depend on the load of the machine.
private func processorTime(_ body: () -> Void) -> Duration {
    let start = threadTime()
    body()
    return threadTime() - start
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

@Suite("Strict JSON", .tags(.small))
struct StrictJSONTests {
    private static func error(_ bytes: [UInt8], values: Int = .max) -> JSONError? {
        do throws(JSONError) {
            try StrictJSON.check(bytes, values: values)
            return nil
        } catch {
            return error
        }
    }

    private static func error(_ text: String) -> JSONError? { error(Array(text.utf8)) }

    @Test(
        "A text that every reader interprets alike is accepted",
        arguments: [
            "{}", "[]", " [ ] ", "0", "-0", "1.5e+3", "\"\"", "true", "null", "[1,2]",
            #"{"a":{"a":[{"a":1},{"a":2}]}}"#,
            #"["\ud83d\ude00","\u0000","\/","\\\""]"#, #"{"a":1,"A":2,"":3}"#, "\t\r\n[false]\n", "[1E9, 10, 0.10]",
            "\"\u{7F}é\"", "\"\u{7FF}\u{800}\u{FFFD}\u{10000}\u{10FFFF}\"",
        ])
    func sound(text: String) {
        #expect(Self.error(text) == nil)
    }

    @Test(
        "A text that is not JSON is rejected",
        arguments: [
            "", " ", "nul", "nulls", "[1,]", "[,1]", "[1 2]", "{,}", #"{"a":1,}"#, #"{"a" 1}"#, #"{a:1}"#, #"{"a":}"#,
            "[", "]",
            "{", #"{"a":1"#, "[]]", "[] []", "01", "+1", "1.", ".5", "1e", "-", "0x1", "NaN", "Infinity", "'a'", #"""#,
            #""\x""#, #""\u12""#, #""\u12G4""#, "\"\n\"", "\"\t\"", "[1]\u{0}", "\u{FEFF}[]", "// a\n1", "/**/1",
            "\u{A0}1", "[}", "{]",
        ])
    func none(text: String) {
        let error = Self.error(text)
        #expect(
            error?.finding.hasPrefix("expected ") == true || error?.finding.hasPrefix("the closing") == true
                || error?.finding.hasPrefix("no comma") == true)
    }

    @Test(
        "A text in another encoding, or in invalid UTF-8, is rejected",
        arguments: [
            [0xFF, 0xFE, 0x31, 0], [0x22, 0xFF, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
        ] as [[UInt8]])
    func encoding(bytes: [UInt8]) {
        #expect(Self.error(bytes)?.finding == "this is not UTF-8")
    }

    @Test(
        "A repeated name is rejected with its place, even in a different spelling",
        arguments: [
            (#"{"a":1,"a":1}"#, "a"), (#"{"a":1,"\u0061":2}"#, "a"),
            (#"{"x":[{},{"b":{"c":1,"d":2,"c":3}}]}"#, "x[1].b.c"),
            (#"[{"a":1},{"a":1,"a":2}]"#, "[1].a"), ("{\"\u{e9}\":1,\"e\u{301}\":2}", "e\u{301}"),
        ])
    func repeated(text: String, place: String) {
        let error = Self.error(text)
        #expect(error?.finding == "\"\(place)\" is given twice")
    }

    @Test(
        "An unpaired surrogate is rejected",
        arguments: [#""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, #""\ud800x""#, #"{"\udfff":1}"#])
    func surrogates(text: String) {
        #expect(Self.error(text)?.finding == "this is an unpaired surrogate escape")
    }

    @Test(
        "A letter with an unnatural number of combining marks is rejected before strings are compared",
        arguments: [#"{"X":1}"#, #"["X"]"#, #"{"a":{"b":["X"]}}"#])
    func marks(place: String) {
        let marked = { (marks: String, count: Int) in
            Self.error(place.replacing("X", with: "a" + String(repeating: marks, count: count)))?.finding
        }
        let many = "more than 30 combining marks follow one letter"
        for marks in ["\u{301}", #"\u0316"#, "\u{1D165}"] {
            #expect(marked(marks, 30) == nil)
            #expect(marked(marks, 31) == many)
        }
        let time = processorTime {
            #expect(marked("\u{301}\u{316}", 200_000) == many)
            #expect(marked("\u{301}b", 100_000) == nil)
        }
        #expect(time < .seconds(20), "\(time)")
    }

    @Test("The time to read a string grows with the number of its escapes, and not with its square")
    func manyEscapes() {
        func time(_ count: Int) -> Duration {
            let text = "\"" + String(repeating: #"\u0000"#, count: count) + "\""
            return processorTime { #expect(Self.error(text) == nil) }
        }
        #expect(time(400_000) / time(5_000) < 200)
    }

    @Test("A text that is nested too deeply is rejected without using the stack")
    func deep() {
        let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        #expect(Self.error(nested(64)) == nil)
        let deep = "values are nested more than 64 levels deep"
        #expect(Self.error(nested(65))?.finding == deep)
        #expect(Self.error(String(repeating: #"{"a":"#, count: 200_000))?.finding == deep)
    }

    @Test("A text with too many values is rejected")
    func values() {
        #expect(Self.error(Array("[1,2,{}]".utf8), values: 4) == nil)
        #expect(Self.error(Array("[1,2,{}]".utf8), values: 3)?.finding == "the file has more than 3 values")
    }

    private static let unclosed =
        "the closing quotation mark of this string is missing, or a line break is not written as \\n"

    @Test(
        "Each error names line, column and problem",
        arguments: [
            ("{\n  \"a\": 1,\n}", "line 3, column 1: no comma is allowed before \"}\""),
            ("[1, 2, ]", "line 1, column 8: no comma is allowed before \"]\""),
            ("{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: expected \",\" or \"}\", found \"\\\"\""),
            ("{\"é\": x}", "line 1, column 7: expected a value, found \"x\""),
            ("{\"a\" 1}", "line 1, column 6: expected \":\", found \"1\""),
            ("{a: 1}", "line 1, column 2: expected a name in quotation marks, found \"a\""),
            ("{\n\"a\": [1", "line 2, column 8: expected \",\" or \"]\", found the end of the file"),
            ("{} {}", "line 1, column 4: expected the end of the file, found \"{\""),
            ("", "line 1, column 1: expected a value, found the end of the file"),
            ("\u{FEFF}{}", "line 1, column 1: expected a value, found \"\\u{FEFF}\""),
            ("// note\n{}", "line 1, column 1: expected a value, found \"/\""),
            ("[\"abc]", "line 1, column 2: \(unclosed)"), ("[\"abc\n]", "line 1, column 2: \(unclosed)"),
            ("[\"\\x\"]", "line 1, column 4: expected an escape, in which a backslash is \\\\, found \"x\""),
            ("[nul]", "line 1, column 2: expected a value, found \"n\""),
            ("[1.]", "line 1, column 4: expected a digit, found \"]\""),
            ("{\"a\": {\"b\": 1,\n \"b\": 2}}", "line 2, column 2: \"a.b\" is given twice"),
        ])
    func place(text: String, sentence: String) {
        #expect(Self.error(text)?.description == sentence)
    }

    @Test("Invalid UTF-8 is rejected with its place")
    func invalid() {
        #expect(Self.error(Array("[\n\"é".utf8) + [0xFF])?.description == "line 2, column 3: this is not UTF-8")
    }

    @Test("A value of the wrong type is reported with the same kind of path as other errors")
    func finding() {
        let error = #expect(throws: DecodingError.self) {
            try StrictJSON.decode([String: [Int]].self, from: Array(#"{"a": [1, "2"]}"#.utf8))
        }
        #expect(error.map { ErrorReason.finding($0) } == .verbatim("a[1]: expected Int"))
    }
}
