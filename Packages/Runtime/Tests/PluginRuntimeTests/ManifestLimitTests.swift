import PluginCore
import Testing
@testable import BundleFormat

@Suite("Limits of untrusted manifests", .tags(.small))
struct ManifestLimitTests {
    private static func problems(of text: String) throws -> [String] {
        try ManifestReaderTests.problems(of: text)
    }

    private static func manifest(_ field: String) -> String {
        """
        {"formatVersion": 1, "identifier": "com.example.app.shop", "version": "1.0.0", "name": "Shop", "kind": "assets",
         \(field)}
        """
    }

    private static func list(_ element: String, _ count: Int) -> String {
        "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
    }

    @Test("A manifest with many problems is rejected with the first 50 and the number of the others")
    func manyProblems() throws {
        let found = try Self.problems(of: Self.manifest(#""routes": \#(Self.list("{}", 8000))"#))
        #expect(found.count == 51 && found[0] == "at(place: routes[0].pattern, problem: fieldMissing)")
        // Each route lacks its pattern and its destination.
        #expect(found[50] == "more(count: 15950)")
    }

    @Test("Reading a manifest takes time proportional to its length, whatever it contains")
    func proportional() throws {
        let time = try processorTime {
            let most = ManifestReader.sizeLimit - 1024
            for (element, count) in [("{}", 3), (#"{"a":1}"#, 8), ("[]", 3), ("0", 2), (#"{"pattern":"a"}"#, 16)] {
                _ = try Self.problems(of: Self.manifest(#""routes": \#(Self.list(element, most / count))"#))
            }
            let keys = (0..<most / 16).map { #""k\#($0)": 0"# }.joined(separator: ",")
            #expect(try Self.problems(of: Self.manifest(keys)).last?.hasPrefix("more(") == true)
            // The pattern has many expansions of one long text each.
            let groups = (0..<10).map { "(/\($0))" }.joined()
            let long = #"{"pattern":"\#(String(repeating: "a", count: most - 100))\#(groups)","page":"p"}"#
            #expect(
                try Self.problems(of: Self.manifest(#""routes": [\#(long)]"#))
                    == ["at(place: routes[0].pattern, problem: tooLong(limit: 2048))"])
        }
        #expect(time < .seconds(20), "\(time)")
    }

    @Test(
        "Each list may have exactly as many elements as its limit",
        arguments: [
            ("requires", 256), ("appGroups", 64), ("routes", 8192), ("targets", 1024), ("services", 1024),
            ("extensions", 64), ("extensionPoints", 64),
        ])
    func lists(name: String, limit: Int) throws {
        let told = "at(place: \(name), problem: tooManyElements(limit: \(limit)))"
        let field = { (count: Int) in
            "\"\(name)\": [" + (0..<count).map { Self.element(name, $0) }.joined(separator: ",") + "]"
        }
        // Only an app has extensions.
        let manifest = { (count: Int) in
            name.hasPrefix("extension") ? ManifestExtensionTests.manifest(field(count)) : Self.manifest(field(count))
        }
        #expect(throws: Never.self) { try ManifestReader.read(Array(manifest(limit).utf8), of: "test.zip") }
        #expect(try Self.problems(of: manifest(limit + 1)) == [told])
    }

    private static func element(_ name: String, _ number: Int) -> String {
        switch name {
        case "requires": #"{"bundle": "com.example.b\#(number)", "versions": "*"}"#
        case "appGroups": #""group.g\#(number)""#
        case "routes": #"{"pattern": "p\#(number)", "page": "p"}"#
        case "targets": #"{"name": "T\#(number)", "actions": []}"#
        case "extensions":
            #"{"identifier": "com.example.app.notes.e\#(number)", "point": "today", "entry": "libE\#(number).so", "name": "E"}"#
        case "extensionPoints": #"{"identifier": "com.example.app.notes.p\#(number)"}"#
        default: #""S\#(number)""#
        }
    }

    @Test("A version may be exactly as long as file names allow")
    func version() throws {
        let manifest = { (length: Int) in
            let version = "1.0.0-" + String(repeating: "a", count: length - 6)
            return Self.manifest(#""summary": """#).replacing(#""1.0.0""#, with: "\"\(version)\"")
        }
        #expect(throws: Never.self) { try ManifestReader.read(Array(manifest(122).utf8), of: "test.zip") }
        #expect(try Self.problems(of: manifest(123)) == ["at(place: version, problem: tooLong(limit: 122))"])
    }

    @Test("The patterns of a manifest may have a limited number of expansions in total")
    func expansions() throws {
        let groups = (0..<10).map { "(/x\($0))" }.joined()
        let routes = { (count: Int) in
            (0..<count).map { #"{"pattern": "p\#($0)\#(groups)", "page": "p"}"# }.joined(separator: ",")
        }
        #expect(throws: Never.self) {
            try ManifestReader.read(Array(Self.manifest(#""routes": [\#(routes(16))]"#).utf8), of: "test.zip")
        }
        #expect(
            try Self.problems(of: Self.manifest(#""routes": [\#(routes(800))]"#))
                == ["at(place: routes, problem: expansionsTooMany(limit: 16384))"])
    }
}
