import PluginCore
import PluginRuntime
import Testing
@testable import BundleFormat

@Suite("Manifests", .tags(.small))
struct ManifestReaderTests {
    static let good = #"""
        { "formatVersion": 1, "identifier": "com.example.app.shop", "version": "1.1.0-beta.2", "name": "Shop é",
          "summary": "Sells \"things\"", "kind": "app", "entry": "libShop.so", "coreABI": 1,
          "requires": [{"bundle": "com.example.app.account", "versions": "^1.0.0"},
                       {"bundle": "com.example.app.orders", "versions": "*", "onDemand": true}],
          "appGroups": ["group.com.example"],
          "routes": [ {"pattern": "shop", "page": "home"}, {"pattern": "shop/about", "page": "a", "layout": "help/about"},
                      {"pattern": "price/:id", "object": "price"},
                      {"pattern": "buy/:id", "handler": "buy", "guards": ["Account.requireSignIn"]},
                      {"pattern": "find", "handler": "find", "priority": -3, "exposure": "external", "deadline": 2.5,
                       "mayDecline": true} ],
          "targets": [{"name": "Shop", "actions": ["price", "stock"]},
                      {"name": "Till", "actions": ["total", {"name": "open", "exposure": "internal"}]}],
          "services": ["PriceList", "Stock"] }
        """#

    static func problems(of bytes: [UInt8], _ location: SourceLocation = #_sourceLocation) throws -> [String] {
        let error = try #require(throws: AtriumError.self, sourceLocation: location) {
            try ManifestReader.read(bytes, of: "test.zip")
        }
        #expect(error.code == .manifestInvalid, sourceLocation: location)
        #expect(error.subject == "test.zip", sourceLocation: location)
        #expect(!error.problems.isEmpty, sourceLocation: location)
        return error.problems
    }

    static func problems(of text: String, _ location: SourceLocation = #_sourceLocation) throws -> [String] {
        try problems(of: Array(text.utf8), location)
    }

    @Test("All fields of a manifest are read")
    func good() throws {
        let manifest = try ManifestReader.read(Array(Self.good.utf8), of: "test.zip")
        let version = SemanticVersion(major: 1, minor: 1, patch: 0, prerelease: ["beta", "2"])
        let range = try #require(VersionRange("^1.0.0"))
        let expected = Manifest(
            identity: BundleIdentity(identifier: "com.example.app.shop", version: version), name: "Shop é",
            summary: "Sells \"things\"", kind: .app, entry: "libShop.so", coreABI: 1,
            requirements: [
                BundleRequirement(identifier: "com.example.app.account", versions: range),
                BundleRequirement(identifier: "com.example.app.orders", versions: .any, isOnDemand: true),
            ],
            appGroups: ["group.com.example"],
            routes: [
                RouteDeclaration(pattern: "shop", kind: .page, name: "home"),
                RouteDeclaration(pattern: "shop/about", kind: .page, name: "a", layout: "help/about"),
                RouteDeclaration(pattern: "price/:id", kind: .object, name: "price"),
                RouteDeclaration(pattern: "buy/:id", kind: .handler, name: "buy", guards: ["Account.requireSignIn"]),
                RouteDeclaration(
                    pattern: "find", kind: .handler, name: "find", priority: -3, exposure: .external, deadline: 2.5,
                    mayDecline: true),
            ],
            targets: [
                TargetDeclaration(name: "Shop", actions: ["price", "stock"]),
                TargetDeclaration(
                    name: "Till", actions: ["total", ActionDeclaration(name: "open", exposure: .internal)]),
            ],
            services: ["PriceList", "Stock"]
        )
        #expect(manifest == expected)
    }

    @Test("A bundle without code needs only a format, identifier, version, name and kind")
    func least() throws {
        let text = #"{"formatVersion":1,"identifier":"com.example.art","version":"1.0.0","name":"Art","kind":"assets"}"#
        let manifest = try ManifestReader.read(Array(text.utf8), of: "test.zip")
        #expect(manifest.kind == .assets)
        #expect(manifest.entry == nil)
        #expect(manifest.routes.isEmpty)
    }

    struct Fault: CustomTestStringConvertible, Sendable {
        let old: String
        let new: String
        let problem: String
        var testDescription: String { problem }
    }

    @Test(
        "A manifest with one fault is rejected with one problem at its place",
        arguments: [
            Fault(
                old: #""formatVersion": 1,"#, new: #""formatVersion": 2,"#,
                problem: "formatVersion: 2 is not supported; it needs a newer host"),
            Fault(
                old: #""formatVersion": 1,"#, new: #""formatVersion": 0,"#,
                problem: "formatVersion: 0 is not supported; the lowest is 1"),
            Fault(old: #""formatVersion": 1,"#, new: "", problem: "formatVersion: it is missing"),
            Fault(
                old: #""formatVersion": 1,"#, new: #""formatVersion": "1","#,
                problem: "formatVersion: expected an integer"),
            Fault(
                old: #""com.example.app.shop""#, new: #""Shop""#,
                problem: "identifier: \"Shop\" is not a reverse-domain name such as com.example.app.shop"),
            Fault(
                old: #""com.example.app.shop""#, new: #""com.../../shop""#,
                problem: "identifier: \"com.../../shop\" is not a reverse-domain name such as com.example.app.shop"),
            Fault(old: #""com.example.app.shop""#, new: "null", problem: "identifier: expected a string"),
            Fault(old: "1.1.0-beta.2", new: "1.1", problem: "version: \"1.1\" is not a version such as 1.2.3"),
            Fault(old: #""name": "Shop é""#, new: #""name": """#, problem: "name: it is empty"),
            Fault(old: #""Sells \"things\"""#, new: "[]", problem: "summary: expected a string"),
            Fault(
                old: #""kind": "app""#, new: #""kind": "ap""#,
                problem: "kind: unknown value \"ap\"; expected one of app, lib, assets"),
            Fault(
                old: #""entry": "libShop.so", "#, new: "",
                problem: "entry: a bundle with code must name its library, such as libShop.so"),
            Fault(
                old: "libShop.so", new: "lib/../Shop.so",
                problem: "entry: \"lib/../Shop.so\" is not a file name such as libShop.so"),
            Fault(old: #""libShop.so""#, new: "true", problem: "entry: expected a string"),
            Fault(
                old: #", "coreABI": 1"#, new: "",
                problem: "coreABI: a bundle with code must declare the Core ABI that it was built for"),
            Fault(old: #""coreABI": 1"#, new: #""coreABI": -1"#, problem: "coreABI: -1 is not an ABI version"),
            Fault(
                old: #""coreABI": 1"#, new: #""coreABI": 4294967296"#,
                problem: "coreABI: 4294967296 is not an ABI version"),
            Fault(
                old: #""coreABI": 1"#, new: #""coreABI": 99999999999999999999"#,
                problem: "coreABI: expected an integer"),
            Fault(
                old: #""coreABI": 1"#, new: #""coreABI": 1.5"#, problem: "coreABI: expected an integer"),
            Fault(
                old: #""coreABI": 1"#, new: #""coreABI": 1e400"#, problem: "coreABI: expected an integer"),
            Fault(
                old: #""summary""#, new: #""sumary""#, problem: "sumary: no such field; did you mean \"summary\"?"),
            Fault(old: #""summary""#, new: #""colour""#, problem: "colour: no such field"),
            Fault(
                old: #""bundle": "com.example.app.account""#, new: #""bundle": "account""#,
                problem: "requires[0].bundle: \"account\" is not a reverse-domain name"),
            Fault(
                old: "^1.0.0", new: "~1",
                problem: "requires[0].versions: \"~1\" is not a version range such as ^1.2.0"),
            Fault(
                old: #", "versions": "^1.0.0""#, new: "", problem: "requires[0].versions: it is missing"),
            Fault(
                old: #"{"bundle": "com.example.app.account", "versions": "^1.0.0"}"#, new: "[]",
                problem: "requires[0]: expected an object"),
            Fault(
                old: "group.com.example", new: "../group",
                problem: "appGroups[0]: \"../group\" is not a reverse-domain name"),
            Fault(old: #""group.com.example""#, new: "1", problem: "appGroups[0]: expected a string"),
            Fault(
                old: #"{"pattern": "shop", "page": "home"}"#, new: "7",
                problem: "routes[0]: expected an object"),
            Fault(
                old: #"{"pattern": "shop", "page": "home"}"#, new: #"{"page": "home"}"#,
                problem: "routes[0].pattern: it is missing"),
            Fault(
                old: #""page": "home""#, new: #""page": "home", "object": "home""#,
                problem: "routes[0]: expected exactly one of page, handler and object"),
            Fault(
                old: #", "page": "home""#, new: "",
                problem: "routes[0]: expected exactly one of page, handler and object"),
            Fault(old: #""home""#, new: "5", problem: "routes[0].page: expected a string"),
            Fault(old: #""home""#, new: #""""#, problem: "routes[0]: the route's name is empty"),
            Fault(
                old: #""page": "home""#, new: #""pgae": "x", "page": "home""#,
                problem: "routes[0].pgae: no such field; did you mean \"page\"?"),
            Fault(
                old: "help/about", new: "about", problem: "routes[1].layout: \"about\" is not of the form layout/pageId"
            ),
            Fault(
                old: #""object": "price""#, new: #""object": "price", "layout": "a/b""#,
                problem: "routes[2].layout: only a page has a layout"),
            Fault(
                old: "Account.requireSignIn", new: "requireSignIn",
                problem: "routes[3].guards[0]: \"requireSignIn\" is not of the form Target.action"),
            Fault(
                old: "price/:id", new: "shop/",
                problem: "routes: \"shop\" and \"shop/\" match the same addresses"),
            Fault(old: #""name": "Shop","#, new: "", problem: "targets[0].name: it is missing"),
            Fault(
                old: #""name": "Shop","#, new: #""name": "1","#, problem: "targets[0].name: \"1\" is not a valid name"),
            Fault(
                old: #""stock""#, new: #""in stock""#,
                problem: "targets[0].actions[1]: \"in stock\" is not a valid name"),
            Fault(
                old: #""stock""#, new: #""price""#, problem: "targets[0].actions: the action \"price\" occurs twice"),
            Fault(
                old: #"["price", "stock"]"#, new: "null",
                problem: "targets[0].actions: expected an array"),
            Fault(
                old: #""stock""#, new: "7", problem: "targets[0].actions[1]: expected a string or an object"),
            Fault(old: #"{"name": "open","#, new: "{", problem: "targets[1].actions[1].name: it is missing"),
            Fault(
                old: #""name": "open","#, new: #""name": "total","#,
                problem: "targets[1].actions: the action \"total\" occurs twice"),
            Fault(
                old: #""onDemand": true"#, new: #""onDemand": "yes""#,
                problem: "requires[1].onDemand: expected true or false"),
            Fault(
                old: #""onDemand": true"#, new: #""ondemand": true"#,
                problem: "requires[1].ondemand: no such field; did you mean \"onDemand\"?"),
            Fault(
                old: #""exposure": "internal""#, new: #""exposure": "private""#,
                problem:
                    "targets[1].actions[1].exposure: unknown value \"private\"; expected one of internal, plugins, external"
            ),
            Fault(
                old: #""exposure": "internal""#, new: #""expsure": "internal""#,
                problem: "targets[1].actions[1].expsure: no such field; did you mean \"exposure\"?"),
            Fault(
                old: #""exposure": "external""#, new: #""exposure": "External""#,
                problem: "routes[4].exposure: unknown value \"External\"; expected one of internal, plugins, external"),
            Fault(
                old: #""priority": -3"#, new: #""priority": "high""#,
                problem: "routes[4].priority: expected an integer"),
            Fault(
                old: #""deadline": 2.5"#, new: #""deadline": 0"#,
                problem: "routes[4].deadline: 0.0 is not valid; expected more than 0 and at most 3600 seconds"),
            Fault(
                old: #""deadline": 2.5"#, new: #""deadline": 3600.5"#,
                problem: "routes[4].deadline: 3600.5 is not valid; expected more than 0 and at most 3600 seconds"),
            Fault(
                old: #""deadline": 2.5"#, new: #""deadline": "5s""#,
                problem: "routes[4].deadline: expected a number"),
            Fault(
                old: #""mayDecline": true"#, new: #""mayDecline": 1"#,
                problem: "routes[4].mayDecline: expected true or false"),
            Fault(
                old: #""layout": "help/about""#, new: #""layout": "help/about", "mayDecline": true"#,
                problem: "routes[1].mayDecline: a page with a layout has no code that could decline"),
            Fault(
                old: #""Stock""#, new: #""PriceList""#, problem: "services: the service \"PriceList\" occurs twice"),
            Fault(old: #""Stock""#, new: #""in stock""#, problem: "services[1]: \"in stock\" is not a valid name"),
            Fault(
                old: #"["PriceList", "Stock"]"#, new: "{}", problem: "services: expected an array of strings"),
            Fault(
                old: #""actions": ["price", "stock"]}"#,
                new: #""actions": []}, {"name": "Shop", "actions": []}"#,
                problem: "targets: the target \"Shop\" occurs twice"),
        ]
    )
    func fault(_ fault: Fault) throws {
        let text = Self.good.replacing(fault.old, with: fault.new, maxReplacements: 1)
        try #require(text != Self.good)
        #expect(try Self.problems(of: text) == [fault.problem])
    }

    @Test("A library bundle may declare nothing that needs a principal object")
    func library() throws {
        let text = Self.good.replacing(#""kind": "app""#, with: #""kind": "lib""#, maxReplacements: 1)
        let why = "a bundle of kind lib has no principal object"
        let routes = [0, 2, 3, 4].map { "routes[\($0)]: \(why); only pages with a layout are allowed" }
        #expect(try Self.problems(of: text) == routes + ["targets: \(why)", "services: \(why)"])
    }

    @Test("A requirement without a time is needed eagerly")
    func silentRequirement() throws {
        let manifest = try ManifestReader.read(Array(Self.good.utf8), of: "test.zip")
        #expect(manifest.requirements.map(\.isOnDemand) == [false, true])
    }

    @Test("Routes and actions without an exposure are exposed to plugins")
    func silence() throws {
        let manifest = try ManifestReader.read(Array(Self.good.utf8), of: "test.zip")
        #expect(manifest.routes[0].exposure == .plugins)
        #expect(manifest.routes[0].priority == 0)
        #expect(manifest.routes[0].deadline == nil)
        #expect(!manifest.routes[0].mayDecline)
        #expect(manifest.targets[0].actions.map(\.exposure) == [.plugins, .plugins])
    }

    @Test("Ten faults in a manifest are all reported at once")
    func tenFaults() throws {
        let text = #"""
            { "formatVersion": 9, "identifier": "shop", "version": "one", "name": "", "kind": "app", "entry": "Shop",
              "coreABI": -1, "requires": [{"bundle": "x", "versions": "*"}], "colour": "red",
              "routes": [{"pattern": "a"}], "targets": {} }
            """#
        let places = try Self.problems(of: text).map { String($0.prefix { $0 != ":" }) }
        #expect(
            places.sorted() == [
                "colour", "coreABI", "entry", "formatVersion", "identifier", "name", "requires[0].bundle", "routes[0]",
                "targets", "version",
            ])
    }

    @Test("A manifest that requires its own bundle is rejected")
    func requiresItself() throws {
        let text = """
            {"formatVersion": 1, "identifier": "com.example.a", "version": "1.0.0", "name": "A", "kind": "assets",
             "requires": [{"bundle": "com.example.b", "versions": "^1.0.0"}, {"bundle": "com.example.a", "versions": "^1.0.0"}]}
            """
        #expect(try Self.problems(of: text) == ["requires[1].bundle: a bundle cannot require itself"])
    }

    @Test(
        "Text that isn't a JSON object is rejected with one problem",
        arguments: ["", "   ", "[]", "\"text\"", "{", "{\"a\": }", "null", "{} {}", "\u{0}", "\u{FEFF}"]
    )
    func notJSON(text: String) throws {
        let problems = try Self.problems(of: text)
        #expect(problems.count == 1)
        let starts = ["manifest.json: it is not a JSON object", "manifest.json: line 1, column "]
        #expect(starts.contains { problems.first?.hasPrefix($0) == true }, "\(problems)")
    }

    @Test("A manifest above the size limit is rejected without being parsed")
    func huge() throws {
        let padding = [UInt8](repeating: UInt8(ascii: " "), count: ManifestReader.sizeLimit)
        let whole = Array(Self.good.utf8)
        #expect(throws: Never.self) {
            try ManifestReader.read(whole + padding.dropFirst(whole.count), of: "test.zip")
        }
        #expect(
            try Self.problems(of: padding + whole) == [
                "manifest.json: it has \(padding.count + whole.count) bytes; the limit is 1048576"
            ])
    }

    @Test("A deeply nested manifest is rejected", arguments: [(#"{"a":"#, "}"), ("[", "]")])
    func deep(open: String, close: String) throws {
        let nest = String(repeating: open, count: 100_000) + "1" + String(repeating: close, count: 100_000)
        let text = Self.good.dropLast(2) + #", "deep": "# + nest + " }"
        #expect(throws: AtriumError.self) { try ManifestReader.read(Array(text.utf8), of: "test.zip") }
    }

    @Test(
        "A manifest that isn't UTF-8 is rejected",
        arguments: [[0xC3, 0x28], [0xFF], [0xED, 0xA0, 0x80], [0xC0, 0xAF]])
    func notUTF8(bytes: [UInt8]) throws {
        let good = Array(Self.good.utf8)
        let accented = try #require(good.firstIndex(of: 0xC3))
        let text = good[..<accented] + bytes + good[(accented + 2)...]
        _ = try Self.problems(of: Array(text))
    }

    @Test("A manifest with any byte changed, or truncated anywhere, is either read or rejected")
    func mutations() throws {
        let good = Array(Self.good.utf8)
        var refused = 0
        func read(_ bytes: [UInt8]) throws {
            do {
                _ = try ManifestReader.read(bytes, of: "test.zip")
            } catch {
                #expect(error.code == .manifestInvalid)
                #expect(!error.problems.isEmpty)
                refused += 1
            }
        }
        for index in good.indices {
            for byte in [0, UInt8(ascii: "\""), UInt8(ascii: "9"), good[index] ^ 0x80] {
                var changed = good
                changed[index] = byte
                try read(changed)
            }
            try read(Array(good[..<index]))
        }
        #expect(refused > good.count)
    }
}
