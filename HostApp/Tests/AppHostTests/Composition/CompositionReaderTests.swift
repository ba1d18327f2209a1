import Doctor
import PluginCatalog
import PluginCore
import PluginRouter
import PluginRuntime
import Resolver
import Testing

@testable import AppHost

@Suite("Reading bundle.json", .tags(.medium))
struct CompositionReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ text: String) throws -> ComposedRoutes {
        try ComposedRoutes(contentsOf: folder.write(text, to: "bundle.json"))
    }

    private func problems(of text: String) throws -> [String] {
        let error = #expect(throws: AtriumError.self) { try read(text) }
        #expect(error?.code == .compositionInvalid)
        #expect(error?.subject == folder.path.appending("bundle.json").string)
        return error?.problems.map(\.description) ?? []
    }

    /// Returns a composition with more fields, each of which ends with a comma.
    private func app(_ fields: String = "", bundles: String = "") -> String {
        "{\"formatVersion\": 1, \"name\": \"App\", \(fields) \"bundles\": [\(bundles)]}"
    }

    /// Returns a composition with one bundle that has the given fields.
    private func composition(bundle fields: String) -> String { app(bundles: "{\(fields)}") }

    @Test("The addresses of tabs are read in order, and each bad one is reported with its place")
    func tabs() throws {
        func text(_ tabs: String) -> String { app("\"tabs\": \(tabs),") }
        let tabs = try read(text("[\"app://shop\", \"app://orders\"]")).tabs
        #expect(tabs == ["app://shop", "app://orders"])
        #expect(try read(text("[]")).tabs == [])
        #expect(try problems(of: text("\"app://shop\"")) == ["at(place: tabs, problem: stringArrayExpected)"])
        #expect(try problems(of: text("[1]")) == ["at(place: tabs[0], problem: stringExpected)"])
        #expect(try problems(of: text("[\"app://a\", \"a/%\"]")).first?.hasPrefix("at(place: tabs[1]") == true)
    }

    @Test("A composition contains the app, its start address, its bundles, and a route for each rule")
    func good() throws {
        let composed = try read(
            """
            {
              "formatVersion": 1, "name": "Sample", "start": "app://shop", "theme": "com.example.assets.lantern",
              "bundles": [
                {
                  "uri": "shop", "pkg": "com.example.app.shop",
                  "rules": { "": "home", "answer": "item?id=42", "welcome/:who": "help/about?from=rule" }
                },
                { "uri": "account", "pkg": "com.example.app.account" }
              ]
            }
            """)
        #expect(composed.name == "Sample" && composed.start == "app://shop")
        #expect(composed.theme == "com.example.assets.lantern")
        #expect(composed.bundles.map(\.uri) == ["shop", "account"])
        #expect(composed.routes.map(\.pattern.text) == ["shop", "shop/answer", "shop/welcome/:who"])
        #expect(composed.routes.map(\.owner) == Array(repeating: "com.example.app.shop", count: 3))
        #expect(composed.routes.map(\.kind) == [.page, .page, .page])
        #expect(composed.routes.map(\.parameters) == [[], ["id": "42"], ["from": "rule"]])
        #expect(composed.routes.map(Self.page) == [["home", nil], ["item", nil], ["about", "help/about"]])
    }

    @Test("A field that is given twice is rejected")
    func twice() throws {
        let text = composition(bundle: #""uri": "shop", "pkg": "com.me", "pkg": "com""#)
        let error = #expect(throws: AtriumError.self) { try read(text) }
        #expect(error?.reason?.description.hasSuffix(": \"bundles[0].pkg\" is given twice") == true)
    }

    @Test("The rule for installs on demand is read, and the default is always")
    func installOnDemand() throws {
        for rule in OnDemandPolicy.Rule.allCases {
            #expect(try read(app("\"installOnDemand\": \"\(rule.rawValue)\",")).installOnDemand == rule)
        }
        #expect(try read(app()).installOnDemand == .always)
    }

    @Test("The version of the app and the allowed versions of its bundles are read, and are optional")
    func versions() throws {
        let composition = try read(
            """
            {"formatVersion": 1, "name": "App", "version": "2.1.0", "theme": "com.example.theme", "bundles": [
              {"uri": "a", "pkg": "com.example.a", "version": ">=1.2.0 <2.0.0"}, {"uri": "b", "pkg": "com.example.b"}]}
            """
        )
        #expect(composition.version?.description == "2.1.0")
        let first = AppMember("com.example.a", versions: VersionRange(">=1.2.0 <2.0.0"))
        let others = [AppMember("com.example.b"), AppMember("com.example.theme")]
        #expect(composition.appMembers == [first] + others)
        #expect(try read(app()).version == nil)
    }

    @Test("An app whose bundle.json comes from a catalog consists of the bundle that contains it")
    func composition() throws {
        let composition = try read(
            """
            {"formatVersion": 1, "name": "App", "composition": "com.example.app", "bundles": [
              {"uri": "a", "pkg": "com.example.a"}]}
            """
        )
        #expect(composition.bundle == "com.example.app")
        #expect(composition.appMembers == [AppMember("com.example.app")])
    }

    @Test("The name of a page layout may contain non-ASCII characters")
    func layoutInChinese() throws {
        let composed = try read(composition(bundle: #""uri": "a", "pkg": "com.b", "rules": {"x": "帮助/关于"}"#))
        #expect(composed.routes.map(Self.page) == [["关于", "帮助/关于"]])
    }

    @Test(
        "Each problem of a composition is reported with its path",
        arguments: [
            ("[]", "objectExpected"),
            (#"{"formatVersion": 2, "bundles": 7}"#, "at(place: formatVersion, problem: fileTooNew(expected: 1))"),
            (
                #"{"formatVersion": "1", "name": "A", "bundles": []}"#,
                "at(place: formatVersion, problem: numberExpected)"
            ),
            (#"{"name": "A", "bundles": []}"#, "at(place: formatVersion, problem: fieldMissing)"),
            (#"{"formatVersion": 1, "bundles": []}"#, "at(place: name, problem: fieldMissing)"),
            (#"{"formatVersion": 1, "name": null, "bundles": []}"#, "at(place: name, problem: stringExpected)"),
            (#"{"formatVersion": 1, "name": "A"}"#, "at(place: bundles, problem: fieldMissing)"),
            (#"{"formatVersion": 1, "name": "A", "bundles": {}}"#, "at(place: bundles, problem: arrayExpected)"),
            (#"{"formatVersion": 1, "name": "A", "bundles": [7]}"#, "at(place: bundles[0], problem: objectExpected)"),
            (
                #"{"formatVersion": 1, "name": "A", "composition": "com.example.app", "#
                    + #""bundles": [{"uri": "a", "pkg": "com.example.a", "version": "^1.0.0"}]}"#,
                "at(place: bundles[0].version, problem: versionInComposition(bundle: com.example.app))"
            ),
        ])
    func fault(text: String, problem: String) throws { #expect(try problems(of: text) == [problem]) }

    @Test(
        "Each problem of a bundle is reported with its path",
        arguments: [
            (#""pkg": "com.b""#, "uri", "fieldMissing"),
            (#""uri": "a""#, "pkg", "fieldMissing"),
            (#""uri": "a", "pkg": """#, "pkg", "identifierExpected"),
            (#""uri": "a", "pkg": "Bad.Pkg""#, "pkg", "notIdentifier(text: Bad.Pkg)"),
            (
                #""uri": "a", "pkg": "com.b", "rules": {"/x": "p", "x": "q"}"#,
                #"rules["x"]"#, "sameAddresses(pattern: a/x)"
            ),
            (#""uri": "a/b", "pkg": "com.b""#, "uri", "notSegment(text: a/b)"),
            (#""uri": ":a", "pkg": "com.b""#, "uri", "notSegment(text: :a)"),
            (#""uri": "", "pkg": "com.b""#, "uri", "notSegment(text: )"),
            (#""uri": "app://a", "pkg": "com.b""#, "uri", "notSegment(text: app://a)"),
            (#""uri": "a", "pkg": "com.b", "rules": []"#, "rules", "objectExpected"),
            (#""uri": "a", "pkg": "com.b", "rules": {"x": 1}"#, #"rules["x"]"#, "stringOrObjectExpected"),
            (#""uri": "a", "pkg": "com.b", "rules": {"x": "a/b/c"}"#, #"rules["x"]"#, "notPage(text: a/b/c)"),
            (#""uri": "a", "pkg": "com.b", "rules": {"x": "app://a"}"#, #"rules["x"]"#, "notPage(text: app://a)"),
            (
                #""uri": "a", "pkg": "com.b", "rules": {"x/:n": "p", "x/:m": "q"}"#,
                #"rules["x/:n"]"#, "sameAddresses(pattern: a/x/:m)"
            ),
            (#""uri": "a", "pkg": "com.example.b", "version": "~1""#, "version", "notVersionRange(text: ~1)"),
            (#""uri": "a", "pkg": "b", "version": "^1.0.0""#, "pkg", "notIdentifier(text: b)"),
            (#""uri": "a", "pkg": "com.b", "rule": {}"#, "rule", "fieldMisspelled(nearest: rules)"),
        ]
    )
    func faultInBundle(fields: String, place: String, problem: String) throws {
        let expected = "at(place: bundles[0].\(place), problem: \(problem))"
        #expect(try problems(of: composition(bundle: fields)) == [expected])
    }

    @Test("An invalid pattern of a rule and an invalid start address are explained")
    func malformed() throws {
        let rule = "\"uri\": \"a\", \"pkg\": \"com.b\", \"rules\": {\"x*\": \"p\"}"
        let problem = "at(place: bundles[0].rules[\"x*\"], problem: characterInSegment(character: *))"
        #expect(try problems(of: composition(bundle: rule)) == [problem])
        let start = try problems(of: app("\"start\": \"app://%\","))
        #expect(start.count == 1)
        #expect(start[0].hasPrefix("at(place: start, problem: notAddress(problem: malformedPart("), "\(start)")
    }

    @Test("All problems of a file are reported at once")
    func allAtOnce() throws {
        let text = """
            {
              "formatVersion": 1, "start": 7,
              "bundles": [
                { "uri": "shop", "pkg": 1, "rules": { "b": "x/y/z", "a": 1 } },
                { "uri": "Shop", "pkg": "com.example.app.other" }
              ]
            }
            """
        #expect(
            try problems(of: text) == [
                "at(place: name, problem: fieldMissing)",
                "at(place: start, problem: stringExpected)",
                "at(place: bundles[0].pkg, problem: stringExpected)",
                "at(place: bundles[0].rules[\"a\"], problem: stringOrObjectExpected)",
                "at(place: bundles[0].rules[\"b\"], problem: notPage(text: x/y/z))",
                "at(place: bundles[1].uri, problem: segmentUsed(index: 0, text: Shop))",
            ]
        )
    }

    @Test("A missing file and a file that is not JSON are reported with one specific error each")
    func unreadable() throws {
        let none = folder.path.appending("none.json")
        let missing = #expect(throws: AtriumError.self) { try ComposedRoutes(contentsOf: none) }
        #expect(missing?.code == .fileUnknown)
        let broken = #expect(throws: AtriumError.self) { try read("{\"formatVersion\": 1,") }
        let reason = "line 1, column 21: expected a name in quotation marks, found the end of the file"
        #expect(broken?.reason?.description == reason)
    }

    @Test("Guards and fallbacks of the app, of a scheme, of a bundle and of a rule are read")
    func allFields() throws {
        let composed = try read(
            """
            {
              "formatVersion": 1, "name": "Sample", "guards": ["Gate.isOpen"], "fallback": "app://shop",
              "schemes": { "HTTPS": { "guards": ["Gate.isTrusted", "Gate.isOpen"], "fallback": "app://shop/web" },
                           "app": {} },
              "fallbacks": { "shop/**": "app://shop/lost", "old/:id": "app://shop?from=old" },
              "bundles": [
                {
                  "uri": "shop", "pkg": "com.example.app.shop", "guards": ["Account.requireSignIn"],
                  "rules": {
                    "detail": { "page": "item?id=42", "exposure": "external", "guards": ["Gate.isAdult"], "priority": 1 },
                    "plain": { "page": "help/about" }
                  }
                }
              ]
            }
            """
        )
        #expect(composed.guards == ["Gate.isOpen"] && composed.fallback?.text == "app://shop")
        #expect(composed.schemes.map(\.name) == ["https", "app"])
        #expect(composed.schemes.map(\.guards) == [["Gate.isTrusted", "Gate.isOpen"], []])
        #expect(composed.schemes.map(\.fallback?.text) == ["app://shop/web", nil])
        #expect(composed.fallbacks.map(\.pattern.text) == ["old/:id", "shop/**"])
        #expect(composed.fallbacks.map(\.address.text) == ["app://shop?from=old", "app://shop/lost"])
        #expect(composed.bundles.map(\.guards) == [["Account.requireSignIn"]])
        let (detail, plain) = (composed.rules[0], composed.rules[1])
        #expect(detail.text == "item" && detail.parameters == ["id": "42"])
        #expect(detail.exposure == .external && detail.guards == ["Gate.isAdult"] && detail.priority == 1)
        #expect(plain.page.layout == "help/about")
        #expect(plain.exposure == nil && plain.guards == [] && plain.priority == 0)
    }

    @Test(
        "Each problem in a field of the app is reported with its path",
        arguments: [
            (#""bundle": []"#, "bundle", "fieldMisspelled(nearest: bundles)"),
            (#""theme": "lantern""#, "theme", "notThemeIdentifier(text: lantern)"),
            (#""version": "1""#, "version", "notVersion(text: 1)"),
            (#""composition": "a b""#, "composition", "notIdentifier(text: a b)"),
            (#""theme": {}"#, "theme", "stringExpected"),
            (
                #""installOnDemand": "aks""#,
                "installOnDemand", #"valueMisspelled(known: ["always", "ask", "never"], nearest: ask, text: aks)"#
            ),
            (#""installOnDemand": true"#, "installOnDemand", "stringExpected"),
            (#""start": 7"#, "start", "stringExpected"),
            (#""guards": "A.b""#, "guards", "stringArrayExpected"),
            (#""guards": ["A.b", 7]"#, "guards[1]", "stringExpected"),
            (#""guards": ["A.b", "isOpen"]"#, "guards[1]", "notTargetAction(name: isOpen)"),
            (#""guard": []"#, "guard", "fieldMisspelled(nearest: guards)"),
            (#""fallback": 7"#, "fallback", "stringExpected"),
            (#""schemes": []"#, "schemes", "objectExpected"),
            (#""schemes": {"app": []}"#, #"schemes["app"]"#, "objectExpected"),
            (#""schemes": {"a b": {}}"#, #"schemes["a b"]"#, "notSchemeName(text: a b)"),
            (#""schemes": {"App": {}, "app": {}}"#, #"schemes["app"]"#, "nameTwice(name: app)"),
            (
                #""schemes": {"app": {"fallbak": "x"}}"#,
                #"schemes["app"].fallbak"#, "fieldMisspelled(nearest: fallback)"
            ),
            (#""schemes": {"app": {"guards": [7]}}"#, #"schemes["app"].guards[0]"#, "stringExpected"),
            (#""fallbacks": {"a/**": 7}"#, #"fallbacks["a/**"]"#, "stringExpected"),
            (#""fallbacks": {"a/:x": "a", "a/:y": "b"}"#, #"fallbacks["a/:y"]"#, "sameAddresses(pattern: a/:x)"),
            (
                #""fallbacks": {"a/:x<slug>": "a"}"#,
                #"fallbacks["a/:x<slug>"]"#, "converterUnknown(known: [bool, double, int, string, uuid], name: slug)"
            ),
        ]
    )
    func faultInAttributes(fields: String, place: String, problem: String) throws {
        #expect(try problems(of: app(fields + ",")) == ["at(place: \(place), problem: \(problem))"])
    }

    @Test(
        "Each problem in a rule that is an object is reported with its path",
        arguments: [
            ("{}", ".page", "fieldMissing"),
            (#"{"page": 7}"#, ".page", "stringExpected"),
            (#"{"page": "a/b/c"}"#, "", "notPage(text: a/b/c)"),
            (
                #"{"page": "p", "exposure": "all"}"#,
                ".exposure", #"valueUnknown(known: ["internal", "plugins", "external"], text: all)"#
            ),
            (#"{"page": "p", "priority": 1.5}"#, ".priority", "integerExpected"),
            (#"{"page": "p", "guards": ["x"]}"#, ".guards[0]", "notTargetAction(name: x)"),
            (#"{"pag": "p", "page": "p"}"#, ".pag", "fieldMisspelled(nearest: page)"),
        ]
    )
    func faultInRule(rule: String, place: String, problem: String) throws {
        let text = composition(bundle: "\"uri\": \"a\", \"pkg\": \"com.b\", \"rules\": {\"x\": \(rule)}")
        #expect(try problems(of: text) == ["at(place: bundles[0].rules[\"x\"]\(place), problem: \(problem))"])
    }

    @Test("Rules and fallbacks can use the converters that the host registers")
    func converters() throws {
        var converters = RouteConverters.standard
        converters.register(RouteConverter("slug", example: "a-b") { _ in true })
        let text = """
            {"formatVersion": 1, "name": "A", "fallbacks": {"a/:x<slug>": "a"},
             "bundles": [{"uri": "a", "pkg": "com.b", "rules": {":x<slug>": "page"}}]}
            """
        let path = try folder.write(text, to: "bundle.json")
        let composed = try ComposedRoutes(contentsOf: path, converters: converters)
        #expect(composed.rules.map(\.pattern.text) == ["a/:x<slug>"])
        #expect(try problems(of: text).count == 2)
    }

    /// The name of the page that a route leads to, with its layout.
    private static func page(_ route: Route) -> [String?] {
        if case .declared(let name, let layout) = route.service { [name, layout] } else { [] }
    }
}

extension ComposedRoutes {
    /// The routes of the rules as far as they are known without the bundles.
    fileprivate var routes: [Route] { rules.map(\.route) }
}
