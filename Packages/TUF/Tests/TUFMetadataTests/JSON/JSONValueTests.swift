import HostSystem
import Testing
import TUFMetadata

@Suite("JSON in metadata", .tags(.small))
struct JSONValueTests {
    private func canonical(_ text: String) throws -> String {
        String(decoding: try JSONValue(parsing: Array(text.utf8)).canonical, as: UTF8.self)
    }

    @Test(
        "has one canonical form",
        arguments: [
            ("{}", "{}"),
            (" { \"b\" : 1 , \"a\" : [ true , false , null ] } \n", #"{"a":[true,false,null],"b":1}"#),
            (#"{"a":"\u0041\n\/\"\\"}"#, "{\"a\":\"A\n/\\\"\\\\\"}"),
            (#""\u00e9\ud83d\ude00""#, "\"é😀\""),
            ("-0", "0"),
            ("-12", "-12"),
            ("9223372036854775807", "9223372036854775807"),
            // Names are sorted by scalars: Z, a, é, a wide letter, an emoji.
            (#"{"😀":1,"ｚ":2,"é":3,"a":4,"Z":5}"#, #"{"Z":5,"a":4,"é":3,"ｚ":2,"😀":1}"#),
            (#"{"aa":1,"a":2,"":3}"#, #"{"":3,"a":2,"aa":1}"#),
        ])
    func canonicalForm(_ text: String, _ expected: String) throws {
        #expect(try canonical(text).utf8.elementsEqual(expected.utf8))
    }

    @Test("keeps both spellings of an accented letter apart")
    func spellings() throws {
        let value = try JSONValue(parsing: Array("{\"e\u{301}\": 1, \"\u{e9}\": 2}".utf8))
        guard case .object(let object) = value else { throw TUFError(.malformed) }
        #expect(object["e\u{301}"] == 1)
        #expect(object["\u{e9}"] == 2)
    }

    @Test(
        "refuses texts that two programs could read differently",
        arguments: [
            "", " ", "{", "[", "{\"a\":1", "[1", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "{'a':1}", "[1 2]", "1 2",
            "// x\n1",
            "01", "-", "+1", "1.0", "1e3", "1E3", ".5", "0x10", "NaN", "Infinity", "9223372036854775808",
            "-9223372036854775809", "tru", "True", "nul", "\"", "\"a", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"",
            "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\ud800\"", "\"\\ud800x\"", "\"a\nb\"", "\"\t\"",
            "{\"a\":1,\"a\":2}",
            "{\"a\":1,\"\\u0061\":2}", "\u{FEFF}1", "1\u{0}",
        ])
    func refusals(_ text: String) {
        #expect(throws: TUFError.self) { try JSONValue(parsing: Array(text.utf8)) }
    }

    @Test(
        "refuses bytes that are not UTF-8",
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]])
    func notText(_ bytes: [UInt8]) {
        #expect(throws: TUFError.self) { try JSONValue(parsing: [0x22] + bytes + [0x22]) }
    }

    @Test("limits the nesting")
    func depth() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try JSONValue(parsing: nested(64))
        #expect(throws: TUFError.self) { try JSONValue(parsing: nested(65)) }
        #expect(throws: TUFError.self) { try JSONValue(parsing: Array(repeating: UInt8(ascii: "["), count: 1_000_000)) }
    }

    @Test("never traps on damaged text")
    func damage() throws {
        let text = Array(
            #"{"signed":{"_type":"root","n":-12,"t":[true,null,"\u00e9\ud83d\ude00"]},"signatures":[]}"#.utf8)
        for index in text.indices {
            _ = try? JSONValue(parsing: Array(text[..<index]))
            for byte: UInt8 in [0, 0x22, 0x5C, 0x7B, 0x80, 0xFF] {
                var damaged = text
                damaged[index] = byte
                _ = try? JSONValue(parsing: damaged)
            }
        }
    }

    @Test("written text is read as the same value")
    func writing() throws {
        let value: JSONValue = ["a": ["x\u{0}\n\"\\é", 1, -5, true, .null], "": [:]]
        #expect(try JSONValue(parsing: value.text) == value)
    }
}
