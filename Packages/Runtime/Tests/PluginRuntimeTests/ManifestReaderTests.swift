import Authoring
import PluginCore
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

    private static let exposures = "known: [internal, plugins, external]"

    static func problems(of bytes: [UInt8], _ location: SourceLocation = #_sourceLocation) throws -> [String] {
        let error = try #require(throws: AtriumError.self, sourceLocation: location) {
            try ManifestReader.read(bytes, of: "test.zip")
        }
        #expect(error.code == .manifestInvalid, sourceLocation: location)
        #expect(error.subject == "test.zip", sourceLocation: location)
        #expect(!error.problems.isEmpty, sourceLocation: location)
        return error.problems.map(\.description)
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

    @Test(
        "A manifest with one fault is rejected with one problem at its place",
        arguments: [
            (#""formatVersion": 1,"#, #""formatVersion": 2,"#, "formatVersion", "formatTooNew(format: 2)"),
            (#""formatVersion": 1,"#, #""formatVersion": 0,"#, "formatVersion", "formatTooOld(format: 0)"),
            (#""formatVersion": 1,"#, "", "formatVersion", "fieldMissing"),
            (#""formatVersion": 1,"#, #""formatVersion": "1","#, "formatVersion", "integerExpected"),
            (#""com.example.app.shop""#, #""Shop""#, "identifier", "notIdentifier(text: Shop)"),
            (#""com.example.app.shop""#, #""com.../../shop""#, "identifier", "notIdentifier(text: com.../../shop)"),
            (#""com.example.app.shop""#, "null", "identifier", "stringExpected"),
            ("1.1.0-beta.2", "1.1", "version", "notVersion(text: 1.1)"),
            (#""name": "Shop é""#, #""name": """#, "name", "empty"),
            (#""Sells \"things\"""#, "[]", "summary", "stringExpected"),
            (#""kind": "app""#, #""kind": "ap""#, "kind", "valueUnknown(known: [app, lib, assets], text: ap)"),
            (#""entry": "libShop.so", "#, "", "entry", "entryMissing"),
            ("libShop.so", "lib/../Shop.so", "entry", "notLibraryName(text: lib/../Shop.so)"),
            (#""libShop.so""#, "true", "entry", "stringExpected"),
            (#", "coreABI": 1"#, "", "coreABI", "coreABIMissing"),
            (#""coreABI": 1"#, #""coreABI": -1"#, "coreABI", "notABIVersion(abi: -1)"),
            (#""coreABI": 1"#, #""coreABI": 4294967296"#, "coreABI", "notABIVersion(abi: 4294967296)"),
            (#""coreABI": 1"#, #""coreABI": 99999999999999999999"#, "coreABI", "integerExpected"),
            (#""coreABI": 1"#, #""coreABI": 1.5"#, "coreABI", "integerExpected"),
            (#""coreABI": 1"#, #""coreABI": 1e400"#, "coreABI", "integerExpected"),
            (#""summary""#, #""sumary""#, "sumary", "fieldMisspelled(nearest: summary)"),
            (#""summary""#, #""color""#, "color", "fieldUnknown"),
            (#""com.example.app.account""#, #""account""#, "requires[0].bundle", "notReverseDomain(text: account)"),
            ("com.example.app.account", "com.example.app.shop", "requires[0].bundle", "selfRequirement"),
            ("^1.0.0", "~1", "requires[0].versions", "notVersionRange(text: ~1)"),
            (#", "versions": "^1.0.0""#, "", "requires[0].versions", "fieldMissing"),
            (#"{"bundle": "com.example.app.account", "versions": "^1.0.0"}"#, "[]", "requires[0]", "objectExpected"),
            ("group.com.example", "../group", "appGroups[0]", "notReverseDomain(text: ../group)"),
            (#""group.com.example""#, "1", "appGroups[0]", "stringExpected"),
            (#"{"pattern": "shop", "page": "home"}"#, "7", "routes[0]", "objectExpected"),
            (#"{"pattern": "shop", "page": "home"}"#, #"{"page": "home"}"#, "routes[0].pattern", "fieldMissing"),
            (#""page": "home""#, #""page": "home", "object": "home""#, "routes[0]", "oneKindExpected"),
            (#", "page": "home""#, "", "routes[0]", "oneKindExpected"),
            (#""home""#, "5", "routes[0].page", "stringExpected"),
            (#""home""#, #""""#, "routes[0]", "routeNameEmpty"),
            (#""page": "home""#, #""pgae": "x", "page": "home""#, "routes[0].pgae", "fieldMisspelled(nearest: page)"),
            ("help/about", "about", "routes[1].layout", "notLayoutName(text: about)"),
            (#""object": "price""#, #""object": "price", "layout": "a/b""#, "routes[2].layout", "layoutOfNoPage"),
            ("Account.requireSignIn", "requireSignIn", "routes[3].guards[0]", "notTargetAction(name: requireSignIn)"),
            ("price/:id", "shop/", "routes", "routesMatch(other: shop, pattern: shop/)"),
            (#""name": "Shop","#, "", "targets[0].name", "fieldMissing"),
            (#""name": "Shop","#, #""name": "1","#, "targets[0].name", "notName(text: 1)"),
            (#""stock""#, #""in stock""#, "targets[0].actions[1]", "notName(text: in stock)"),
            (#""stock""#, #""price""#, "targets[0].actions", "actionTwice(name: price)"),
            (#"["price", "stock"]"#, "null", "targets[0].actions", "arrayExpected"),
            (#""stock""#, "7", "targets[0].actions[1]", "stringOrObjectExpected"),
            (#"{"name": "open","#, "{", "targets[1].actions[1].name", "fieldMissing"),
            (#""name": "open","#, #""name": "total","#, "targets[1].actions", "actionTwice(name: total)"),
            (#""onDemand": true"#, #""onDemand": "yes""#, "requires[1].onDemand", "boolExpected"),
            (#""onDemand": true"#, #""ondemand": true"#, "requires[1].ondemand", "fieldMisspelled(nearest: onDemand)"),
            (
                #""internal""#, #""private""#, "targets[1].actions[1].exposure",
                "valueUnknown(\(exposures), text: private)"
            ),
            (
                #""exposure": "in"#, #""expsure": "in"#, "targets[1].actions[1].expsure",
                "fieldMisspelled(nearest: exposure)"
            ),
            (#""external""#, #""External""#, "routes[4].exposure", "valueUnknown(\(exposures), text: External)"),
            (#""priority": -3"#, #""priority": "high""#, "routes[4].priority", "integerExpected"),
            ("2.5", "0", "routes[4].deadline", "deadlineInvalid(deadline: 0.0, limit: 3600)"),
            ("2.5", "3600.5", "routes[4].deadline", "deadlineInvalid(deadline: 3600.5, limit: 3600)"),
            ("2.5", #""5s""#, "routes[4].deadline", "numberExpected"),
            (#""mayDecline": true"#, #""mayDecline": 1"#, "routes[4].mayDecline", "boolExpected"),
            (#"help/about""#, #"help/about", "mayDecline": true"#, "routes[1].mayDecline", "layoutCannotDecline"),
            (#""Stock""#, #""PriceList""#, "services", "serviceTwice(name: PriceList)"),
            (#""Stock""#, #""in stock""#, "services[1]", "notName(text: in stock)"),
            (#"["PriceList", "Stock"]"#, "{}", "services", "stringArrayExpected"),
            (#""stock"]}"#, #""stock"]}, {"name": "Shop", "actions": []}"#, "targets", "targetTwice(name: Shop)"),
        ])
    func fault(old: String, new: String, place: String, problem: String) throws {
        let text = Self.good.replacing(old, with: new, maxReplacements: 1)
        try #require(text != Self.good)
        #expect(try Self.problems(of: text) == ["at(place: \(place), problem: \(problem))"])
    }

    @Test("A library bundle may declare nothing that needs a principal object")
    func library() throws {
        let text = Self.good.replacing(#""kind": "app""#, with: #""kind": "lib""#, maxReplacements: 1)
        let routes = [0, 2, 3, 4].map { "at(place: routes[\($0)], problem: routeOfLibrary)" }
        #expect(
            try Self.problems(of: text) == routes
                + ["targets", "services"].map { "at(place: \($0), problem: noPrincipalObject)" })
    }

    @Test("Ten faults in a manifest are all reported at once")
    func tenFaults() throws {
        let text = #"""
            { "formatVersion": 9, "identifier": "shop", "version": "one", "name": "", "kind": "app", "entry": "Shop",
              "coreABI": -1, "requires": [{"bundle": "x", "versions": "*"}], "color": "red",
              "routes": [{"pattern": "a"}], "targets": {} }
            """#
        let places = try Self.problems(of: text).map { String($0.dropFirst(10).prefix { $0 != "," }) }
        #expect(
            places.sorted() == [
                "color", "coreABI", "entry", "formatVersion", "identifier", "name", "requires[0].bundle", "routes[0]",
                "targets", "version",
            ])
    }

    @Test(
        "Text that isn't a JSON object is rejected with one problem",
        arguments: ["", "   ", "[]", "\"text\"", "{", "{\"a\": }", "null", "{} {}", "\u{0}", "\u{FEFF}"]
    )
    func notJSON(text: String) throws {
        let problems = try Self.problems(of: text)
        #expect(problems.count == 1)
        let starts = ["notManifest", "line 1, column "].map { "at(place: manifest.json, problem: \($0)" }
        #expect(starts.contains { problems.first?.hasPrefix($0) == true }, "\(problems)")
    }

    @Test("A manifest above the size limit is rejected without being parsed")
    func huge() throws {
        let padding = [UInt8](repeating: UInt8(ascii: " "), count: ManifestReader.sizeLimit)
        let whole = Array(Self.good.utf8)
        #expect(throws: Never.self) { try ManifestReader.read(whole + padding.dropFirst(whole.count), of: "test.zip") }
        #expect(
            try Self.problems(of: padding + whole) == [
                "at(place: manifest.json, problem: tooLarge(limit: 1048576, size: \(padding.count + whole.count)))"
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
                #expect(error.code == .manifestInvalid && !error.problems.isEmpty)
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

    private func read(_ fields: String, changed prerelease: String? = nil) throws -> Manifest {
        let text = """
            {"formatVersion": 1, "identifier": "com.example.assets.a", "version": "1.0.0", "name": "A", "kind": "assets"\(fields)}
            """
        return try CompletedManifest(Array(text.utf8), of: "test.zip", with: nil, prerelease: prerelease).manifest
    }

    private func reasons(_ fields: String) throws -> [String] {
        let error = try #require(throws: AtriumError.self) { try read(fields) }
        return error.problems.map { "\($0)" }
    }

    @Test(
        "A license expression by SPDX is accepted",
        arguments: [
            "MIT", "Apache-2.0", "GPL-2.0-or-later", "EPL-1.0+", "LicenseRef-Proprietary",
            "DocumentRef-spdx-tool-1.2:LicenseRef-MIT-Style-2", "MIT OR Apache-2.0",
            "GPL-2.0-only WITH Classpath-exception-2.0 AND MIT", "(MIT OR (ISC AND 0BSD)) AND Zlib",
        ])
    func licenses(text: String) throws { #expect(try read(", \"license\": \"\(text)\"").license == text) }

    @Test(
        "Any other text is no license expression",
        arguments: [
            "", " ", "Apache 2.0", "MIT or ISC", "MIT OR", "OR MIT", "(MIT", "MIT)", "()", "MIT (ISC)", "MIT WITH",
            "MIT WITH a WITH b", "(MIT) WITH a", "WITH", "MIT++", "a:b", "DocumentRef-a:MIT", "MIT, ISC", "Mít",
        ])
    func noLicenses(text: String) throws {
        #expect(try reasons(", \"license\": \"\(text)\"") == ["at(place: license, problem: notLicense(text: \(text)))"])
    }

    @Test(
        "An https address with a host is accepted",
        arguments: ["https://example.com", "https://example.com:8443/a%20b?c=d#e", "https://[2001:db8::1]/"])
    func homepages(text: String) throws { #expect(try read(", \"homepage\": \"\(text)\"").homepage == text) }

    @Test(
        "Any other text is no homepage",
        arguments: [
            "", "http://example.com", "example.com", "https://", "https:///a", "https://:80", "https://example.com/a b",
            "https://user@example.com", "https://example.com/<a>", "https://exämple.com", "HTTPS://example.com",
        ])
    func noHomepages(text: String) throws {
        #expect(
            try reasons(", \"homepage\": \"\(text)\"") == ["at(place: homepage, problem: notHomepage(text: \(text)))"])
    }

    @Test(
        "An author and a description are texts with a maximum length",
        arguments: [("author", 256), ("description", 4096)])
    func authorAndDescription(field: String, limit: Int) throws {
        let text = String(repeating: "a", count: limit)
        let found = try read(", \"\(field)\": \"\(text)\"", changed: "dev.1")
        #expect((field == "author" ? found.author : found.description) == text)
        #expect(
            try reasons(", \"\(field)\": \"\(text)a\"") == ["at(place: \(field), problem: tooLong(limit: \(limit)))"])
    }

    @Test("Both have a maximum length, and are written into a completed manifest")
    func limits() throws {
        let long = String(repeating: "a", count: 257)
        #expect(try reasons(", \"license\": \"\(long)\"") == ["at(place: license, problem: tooLong(limit: 256))"])
        #expect(
            try reasons(", \"homepage\": \"https://\(String(repeating: long, count: 8))\"") == [
                "at(place: homepage, problem: tooLong(limit: 2048))"
            ])
        let found = try read(", \"license\": \"MIT\", \"homepage\": \"https://a.example\"", changed: "dev.1")
        #expect(found.license == "MIT" && found.homepage == "https://a.example")
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
        #expect(try ManifestExtensionTests.problems(of: manifest(limit + 1)) == [told])
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
