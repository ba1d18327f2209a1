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
                problem: "at(place: formatVersion, problem: formatTooNew(format: 2))"),
            Fault(
                old: #""formatVersion": 1,"#, new: #""formatVersion": 0,"#,
                problem: "at(place: formatVersion, problem: formatTooOld(format: 0))"),
            Fault(old: #""formatVersion": 1,"#, new: "", problem: "at(place: formatVersion, problem: fieldMissing)"),
            Fault(
                old: #""formatVersion": 1,"#, new: #""formatVersion": "1","#,
                problem: "at(place: formatVersion, problem: integerExpected)"),
            Fault(
                old: #""com.example.app.shop""#, new: #""Shop""#,
                problem: "at(place: identifier, problem: notIdentifier(text: Shop))"),
            Fault(
                old: #""com.example.app.shop""#, new: #""com.../../shop""#,
                problem: "at(place: identifier, problem: notIdentifier(text: com.../../shop))"),
            Fault(
                old: #""com.example.app.shop""#, new: "null", problem: "at(place: identifier, problem: stringExpected)"),
            Fault(old: "1.1.0-beta.2", new: "1.1", problem: "at(place: version, problem: notVersion(text: 1.1))"),
            Fault(old: #""name": "Shop é""#, new: #""name": """#, problem: "at(place: name, problem: empty)"),
            Fault(old: #""Sells \"things\"""#, new: "[]", problem: "at(place: summary, problem: stringExpected)"),
            Fault(
                old: #""kind": "app""#, new: #""kind": "ap""#,
                problem: "at(place: kind, problem: valueUnknown(known: [app, lib, assets], text: ap))"),
            Fault(
                old: #""entry": "libShop.so", "#, new: "",
                problem: "at(place: entry, problem: entryMissing)"),
            Fault(
                old: "libShop.so", new: "lib/../Shop.so",
                problem: "at(place: entry, problem: notLibraryName(text: lib/../Shop.so))"),
            Fault(old: #""libShop.so""#, new: "true", problem: "at(place: entry, problem: stringExpected)"),
            Fault(
                old: #", "coreABI": 1"#, new: "",
                problem: "at(place: coreABI, problem: coreABIMissing)"),
            Fault(
                old: #""coreABI": 1"#, new: #""coreABI": -1"#,
                problem: "at(place: coreABI, problem: notABIVersion(abi: -1))"),
            Fault(
                old: #""coreABI": 1"#, new: #""coreABI": 4294967296"#,
                problem: "at(place: coreABI, problem: notABIVersion(abi: 4294967296))"),
            Fault(
                old: #""coreABI": 1"#, new: #""coreABI": 99999999999999999999"#,
                problem: "at(place: coreABI, problem: integerExpected)"),
            Fault(
                old: #""coreABI": 1"#, new: #""coreABI": 1.5"#, problem: "at(place: coreABI, problem: integerExpected)"),
            Fault(
                old: #""coreABI": 1"#, new: #""coreABI": 1e400"#,
                problem: "at(place: coreABI, problem: integerExpected)"),
            Fault(
                old: #""summary""#, new: #""sumary""#,
                problem: "at(place: sumary, problem: fieldMisspelled(nearest: summary))"),
            Fault(old: #""summary""#, new: #""color""#, problem: "at(place: color, problem: fieldUnknown)"),
            Fault(
                old: #""bundle": "com.example.app.account""#, new: #""bundle": "account""#,
                problem: "at(place: requires[0].bundle, problem: notReverseDomain(text: account))"),
            Fault(
                old: "^1.0.0", new: "~1",
                problem: "at(place: requires[0].versions, problem: notVersionRange(text: ~1))"),
            Fault(
                old: #", "versions": "^1.0.0""#, new: "",
                problem: "at(place: requires[0].versions, problem: fieldMissing)"),
            Fault(
                old: #"{"bundle": "com.example.app.account", "versions": "^1.0.0"}"#, new: "[]",
                problem: "at(place: requires[0], problem: objectExpected)"),
            Fault(
                old: "group.com.example", new: "../group",
                problem: "at(place: appGroups[0], problem: notReverseDomain(text: ../group))"),
            Fault(old: #""group.com.example""#, new: "1", problem: "at(place: appGroups[0], problem: stringExpected)"),
            Fault(
                old: #"{"pattern": "shop", "page": "home"}"#, new: "7",
                problem: "at(place: routes[0], problem: objectExpected)"),
            Fault(
                old: #"{"pattern": "shop", "page": "home"}"#, new: #"{"page": "home"}"#,
                problem: "at(place: routes[0].pattern, problem: fieldMissing)"),
            Fault(
                old: #""page": "home""#, new: #""page": "home", "object": "home""#,
                problem: "at(place: routes[0], problem: oneKindExpected)"),
            Fault(
                old: #", "page": "home""#, new: "",
                problem: "at(place: routes[0], problem: oneKindExpected)"),
            Fault(old: #""home""#, new: "5", problem: "at(place: routes[0].page, problem: stringExpected)"),
            Fault(old: #""home""#, new: #""""#, problem: "at(place: routes[0], problem: routeNameEmpty)"),
            Fault(
                old: #""page": "home""#, new: #""pgae": "x", "page": "home""#,
                problem: "at(place: routes[0].pgae, problem: fieldMisspelled(nearest: page))"),
            Fault(
                old: "help/about", new: "about",
                problem: "at(place: routes[1].layout, problem: notLayoutName(text: about))"
            ),
            Fault(
                old: #""object": "price""#, new: #""object": "price", "layout": "a/b""#,
                problem: "at(place: routes[2].layout, problem: layoutOfNoPage)"),
            Fault(
                old: "Account.requireSignIn", new: "requireSignIn",
                problem: "at(place: routes[3].guards[0], problem: notTargetAction(name: requireSignIn))"),
            Fault(
                old: "price/:id", new: "shop/",
                problem: "at(place: routes, problem: routesMatch(other: shop, pattern: shop/))"),
            Fault(old: #""name": "Shop","#, new: "", problem: "at(place: targets[0].name, problem: fieldMissing)"),
            Fault(
                old: #""name": "Shop","#, new: #""name": "1","#,
                problem: "at(place: targets[0].name, problem: notName(text: 1))"),
            Fault(
                old: #""stock""#, new: #""in stock""#,
                problem: "at(place: targets[0].actions[1], problem: notName(text: in stock))"),
            Fault(
                old: #""stock""#, new: #""price""#,
                problem: "at(place: targets[0].actions, problem: actionTwice(name: price))"),
            Fault(
                old: #"["price", "stock"]"#, new: "null",
                problem: "at(place: targets[0].actions, problem: arrayExpected)"),
            Fault(
                old: #""stock""#, new: "7", problem: "at(place: targets[0].actions[1], problem: stringOrObjectExpected)"
            ),
            Fault(
                old: #"{"name": "open","#, new: "{",
                problem: "at(place: targets[1].actions[1].name, problem: fieldMissing)"),
            Fault(
                old: #""name": "open","#, new: #""name": "total","#,
                problem: "at(place: targets[1].actions, problem: actionTwice(name: total))"),
            Fault(
                old: #""onDemand": true"#, new: #""onDemand": "yes""#,
                problem: "at(place: requires[1].onDemand, problem: boolExpected)"),
            Fault(
                old: #""onDemand": true"#, new: #""ondemand": true"#,
                problem: "at(place: requires[1].ondemand, problem: fieldMisspelled(nearest: onDemand))"),
            Fault(
                old: #""exposure": "internal""#, new: #""exposure": "private""#,
                problem:
                    "at(place: targets[1].actions[1].exposure, problem: valueUnknown(known: [internal, plugins, external], text: private))"
            ),
            Fault(
                old: #""exposure": "internal""#, new: #""expsure": "internal""#,
                problem: "at(place: targets[1].actions[1].expsure, problem: fieldMisspelled(nearest: exposure))"),
            Fault(
                old: #""exposure": "external""#, new: #""exposure": "External""#,
                problem:
                    "at(place: routes[4].exposure, problem: valueUnknown(known: [internal, plugins, external], text: External))"
            ),
            Fault(
                old: #""priority": -3"#, new: #""priority": "high""#,
                problem: "at(place: routes[4].priority, problem: integerExpected)"),
            Fault(
                old: #""deadline": 2.5"#, new: #""deadline": 0"#,
                problem: "at(place: routes[4].deadline, problem: deadlineInvalid(deadline: 0.0, limit: 3600))"),
            Fault(
                old: #""deadline": 2.5"#, new: #""deadline": 3600.5"#,
                problem: "at(place: routes[4].deadline, problem: deadlineInvalid(deadline: 3600.5, limit: 3600))"),
            Fault(
                old: #""deadline": 2.5"#, new: #""deadline": "5s""#,
                problem: "at(place: routes[4].deadline, problem: numberExpected)"),
            Fault(
                old: #""mayDecline": true"#, new: #""mayDecline": 1"#,
                problem: "at(place: routes[4].mayDecline, problem: boolExpected)"),
            Fault(
                old: #""layout": "help/about""#, new: #""layout": "help/about", "mayDecline": true"#,
                problem: "at(place: routes[1].mayDecline, problem: layoutCannotDecline)"),
            Fault(
                old: #""Stock""#, new: #""PriceList""#,
                problem: "at(place: services, problem: serviceTwice(name: PriceList))"),
            Fault(
                old: #""Stock""#, new: #""in stock""#,
                problem: "at(place: services[1], problem: notName(text: in stock))"),
            Fault(
                old: #"["PriceList", "Stock"]"#, new: "{}", problem: "at(place: services, problem: stringArrayExpected)"
            ),
            Fault(
                old: #""actions": ["price", "stock"]}"#,
                new: #""actions": []}, {"name": "Shop", "actions": []}"#,
                problem: "at(place: targets, problem: targetTwice(name: Shop))"),
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
        let routes = [0, 2, 3, 4].map { "at(place: routes[\($0)], problem: routeOfLibrary)" }
        #expect(
            try Self.problems(of: text) == routes
                + ["targets", "services"].map { "at(place: \($0), problem: noPrincipalObject)" })
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

    @Test("A manifest that requires its own bundle is rejected")
    func requiresItself() throws {
        let text = """
            {"formatVersion": 1, "identifier": "com.example.a", "version": "1.0.0", "name": "A", "kind": "assets",
             "requires": [{"bundle": "com.example.b", "versions": "^1.0.0"}, {"bundle": "com.example.a", "versions": "^1.0.0"}]}
            """
        #expect(try Self.problems(of: text) == ["at(place: requires[1].bundle, problem: selfRequirement)"])
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
        #expect(throws: Never.self) {
            try ManifestReader.read(whole + padding.dropFirst(whole.count), of: "test.zip")
        }
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
