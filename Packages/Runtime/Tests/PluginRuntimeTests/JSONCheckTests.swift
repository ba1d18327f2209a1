import PluginCore
import PluginRuntime
import Testing

@Suite("JSON that decides about code")
struct JSONCheckTests {
    private static func flaw(_ text: String) -> JSONFlaw? { JSONCheck.flaw(in: Array(text.utf8)) }

    @Test(
        "is taken when all readers take it alike",
        arguments: [
            "{}", "[]", " [ ] ", "0", "-0", "1.5e+3", "\"\"", "true", "null", "[1,2]",
            #"{"a":{"a":[{"a":1},{"a":2}]}}"#,
            #"["\ud83d\ude00","\u0000","\/","\\\""]"#, #"{"a":1,"A":2,"":3}"#, "\t\r\n[false]\n", "[1E9, 10, 0.10]",
            "\"\u{7F}é\"", "\"\u{7FF}\u{800}\u{FFFD}\u{10000}\u{10FFFF}\"",
        ])
    func sound(text: String) {
        #expect(Self.flaw(text) == nil)
    }

    @Test(
        "is refused when it is none",
        arguments: [
            "", " ", "nul", "nulls", "[1,]", "[,1]", "[1 2]", "{,}", #"{"a":1,}"#, #"{"a" 1}"#, #"{a:1}"#, #"{"a":}"#,
            "[", "]",
            "{", #"{"a":1"#, "[]]", "[] []", "01", "+1", "1.", ".5", "1e", "-", "0x1", "NaN", "Infinity", "'a'", #"""#,
            #""\x""#, #""\u12""#, #""\u12G4""#, "\"\n\"", "\"\t\"", "[1]\u{0}", "\u{FEFF}[]", "// a\n1", "/**/1",
            "\u{A0}1", "[}", "{]",
        ])
    func none(text: String) {
        #expect(Self.flaw(text) == .noJSON)
    }

    @Test(
        "is refused in another encoding, or in none",
        arguments: [
            [0xFF, 0xFE, 0x31, 0], [0x22, 0xFF, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
        ] as [[UInt8]])
    func encoding(bytes: [UInt8]) {
        #expect(JSONCheck.flaw(in: bytes) == .noJSON)
    }

    @Test(
        "is refused with the place where a name is given twice, in whatever spelling",
        arguments: [
            (#"{"a":1,"a":1}"#, "a"), (#"{"a":1,"\u0061":2}"#, "a"),
            (#"{"x":[{},{"b":{"c":1,"d":2,"c":3}}]}"#, "x[1].b.c"),
            (#"[{"a":1},{"a":1,"a":2}]"#, "[1].a"), ("{\"\u{e9}\":1,\"e\u{301}\":2}", "e\u{301}"),
        ])
    func repeated(text: String, place: String) {
        #expect(Self.flaw(text) == .repeated(place: place))
    }

    @Test(
        "is refused with half a character",
        arguments: [#""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, #""\ud800x""#, #"{"\udfff":1}"#])
    func surrogates(text: String) {
        #expect(Self.flaw(text) == .halfCharacter)
    }

    @Test(
        "is refused when more marks stand on a letter than anybody writes, before anything compares them",
        arguments: [#"{"X":1}"#, #"["X"]"#, #"{"a":{"b":["X"]}}"#])
    func marks(place: String) {
        let marked = { (marks: String, count: Int) in
            Self.flaw(place.replacing("X", with: "a" + String(repeating: marks, count: count)))
        }
        for marks in ["\u{301}", #"\u0316"#, "\u{1D165}"] {
            #expect(marked(marks, 30) == nil)
            #expect(marked(marks, 31) == .stackedMarks(limit: 30))
        }
        let time = processorTime {
            #expect(marked("\u{301}\u{316}", 200_000) == .stackedMarks(limit: 30))
            #expect(marked("\u{301}b", 100_000) == nil)
        }
        #expect(time < .seconds(20), "\(time)")
    }

    @Test("is refused when it is nested deeper than anything that is meant, without following it")
    func deep() {
        let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        #expect(Self.flaw(nested(64)) == nil)
        #expect(Self.flaw(nested(65)) == .tooDeep(limit: 64))
        #expect(Self.flaw(String(repeating: #"{"a":"#, count: 200_000)) == .tooDeep(limit: 64))
    }

    @Test("has no more values than may be")
    func values() {
        #expect(JSONCheck.flaw(in: Array("[1,2,{}]".utf8), values: 4) == nil)
        #expect(JSONCheck.flaw(in: Array("[1,2,{}]".utf8), values: 3) == .tooMany(limit: 3))
    }

    @Test("is checked in a manifest and in a trust store before anything is made of it")
    func readers() throws {
        let manifest = ManifestReaderTests.good.replacing(
            "\"name\": \"Shop é\"", with: "\"name\": \"Shop\", \"name\": \"Shop é\"")
        #expect(try ManifestReaderTests.problems(of: manifest) == ["name: it is given twice"])
        let store = #"{"formatVersion": 1, "teams": [], "teams": []}"#
        let error = #expect(throws: AtriumError.self) {
            try TrustStore(reading: Array(store.utf8), named: "trust.json")
        }
        #expect(error?.code == .trustInvalid && error?.problems == ["teams: it is given twice"])
    }
}
