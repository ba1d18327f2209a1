import PluginCore
import Testing

@Suite("Resource URI", .tags(.small))
struct ResourceURITests {
    @Test("A URI is split before it is decoded")
    func splitting() throws {
        let uri = try ResourceURI("App://Shop/item%2F42/a+b?from=demo&tag=a&tag=b%26c#top/%E5%AE%B6")
        #expect(uri.scheme == "app")
        #expect(uri.hasAuthority)
        #expect(uri.segments == ["Shop", "item/42", "a+b"])
        #expect(uri.parameters.all("tag") == ["a", "b&c"])
        #expect(uri.parameters["from"] == "demo")
        #expect(uri.fragment == "top/%E5%AE%B6")
        #expect(uri.resourcePath == "Shop/item%2F42/a%2Bb")
    }

    @Test(
        "A URI is split into segments by the grammar",
        arguments: [
            ("", nil, []), ("/", nil, []), ("app://", "app", []), ("app:///p", "app", ["p"]),
            ("a/b/", nil, ["a", "b"]),
            ("/a", nil, ["a"]), ("//h/p", nil, ["", "h", "p"]), ("a//b", nil, ["a", "", "b"]),
            ("tests:/x", nil, ["tests:", "x"]), ("myapp:user/1", nil, ["myapp:user", "1"]),
            ("1app://x", nil, ["1app:", "", "x"]), ("a/\u{301}b", nil, ["a", "\u{301}b"]),
        ] as [(String, String?, [String])]
    )
    func segments(text: String, scheme: String?, segments: [String]) throws {
        let uri = try ResourceURI(text)
        #expect(uri.scheme == scheme)
        #expect(uri.segments == segments)
    }

    @Test("Segments of any number and length are found", arguments: 1...9)
    func lengths(count: Int) throws {
        // The bytes next to those of delimiters, and the largest.
        let pieces = ["", "0", "é\u{10FFFF}", "!$&'.@>", "abcdefgh", "0123456789abcdef"]
        for length in [0, 200, 300] {
            for start in pieces.indices {
                let middle = (0..<count).map { pieces[(start + $0) % pieces.count] }
                let segments = ["h" + String(repeating: "x", count: length)] + middle + ["z"]
                let path = segments.joined(separator: "/")
                for text in ["app://\(path)", "/\(path)/", "\(path)?q=1", "\(path.dropLast())%7A", "a#\(path)"] {
                    let uri = try ResourceURI(text)
                    #expect((uri.fragmentAddress ?? uri).segments == segments, "\(text)")
                }
            }
        }
    }

    @Test(
        "A malformed URI throws an error with its text and the reason",
        arguments: [
            "a/%", "a/%4", "a/%G1", "a/%+1", "a/%80", "a/%C0%AF", "a/%ED%A0%80", "a/%F4%90%80%80", "a/%00", "a/x\0y",
            "app://h%zz/x", "a?k=%zz", "a?%=1", "a?%E4=%BD%A0", "a#/x/%C0%AF", "a#%", "a/%\u{FF14}\u{FF11}",
        ]
    )
    func malformed(text: String) {
        let error = #expect(throws: AtriumError.self) { try ResourceURI(text) }
        #expect(error?.code == .uriMalformed && error?.subject == text)
        #expect(error?.reason != nil)
    }

    @Test("A query keeps its order, skips empty items, and reads a missing value as empty")
    func query() throws {
        let items = try ResourceURI("a?b=1&&c&=x&b=2=3&?=4").parameters.items
        #expect(
            items.map { [$0.name, $0.value] } == [["b", "1"], ["c", ""], ["", "x"], ["b", "2=3"], ["?", "4"]])
    }

    @Test("A plus sign stands for itself everywhere in an address")
    func plus() throws {
        let uri = try ResourceURI("a+b?c+d=1+%2B+2&e=%20#f+g?h=+")
        #expect(uri.parameters.items.map { [$0.name, $0.value] } == [["c+d", "1+++2"], ["e", " "]])
        #expect(uri.segments == ["a+b"])
        #expect(uri.fragmentAddress?.segments == ["f+g"])
        #expect(uri.fragmentAddress?.parameters["h"] == "+")
    }

    @Test(
        "A URI that is created from parts parses into the same parts",
        arguments: ["42", "a/b", "100%", "家居", "a b?c#d", "+", "é"])
    func roundTrip(value: String) throws {
        let made = try ResourceURI(scheme: "app", segments: ["shop", value], parameters: ["q": value])
        let read = try ResourceURI(made.text)
        #expect(read.segments == ["shop", value])
        #expect(read.parameters["q"] == value)
    }

    @Test(
        "A fragment can be interpreted as an address",
        arguments: [
            ("a", nil, []), ("a#", [], []), ("a#/b/c%2Fd/", ["b", "c/d"], []),
            ("a#b?x=1&y=%20", ["b"], ["x=1", "y= "]),
            ("a?q=1#?x", [], ["x="]), ("a#//b", ["", "b"], []),
        ] as [(String, [String]?, [String])]
    )
    func fragment(text: String, segments: [String]?, items: [String]) throws {
        let uri = try ResourceURI(text)
        #expect(uri.fragmentAddress?.segments == segments)
        let read = uri.fragmentAddress?.parameters.items.map { "\($0.name)=\($0.value)" } ?? []
        #expect(read == items)
        #expect(uri.addingFragmentParameters().parameters.items.count == uri.parameters.items.count + items.count)
    }
}
