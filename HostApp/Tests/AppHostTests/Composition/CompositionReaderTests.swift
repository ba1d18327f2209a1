import PluginCore
import PluginRouter
import PluginRuntime
import Testing

@testable import AppHost

@Suite("Reading bundle.json", .tags(.medium))
struct CompositionReaderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func read(_ text: String) throws -> ComposedRoutes {
        try CompositionReader.read(folder.write(text, to: "bundle.json"))
    }

    private func problems(of text: String) throws -> [String] {
        let error = #expect(throws: AtriumError.self) { try read(text) }
        #expect(error?.code == .compositionInvalid)
        #expect(error?.subject == folder.path.appending("bundle.json").string)
        return error?.problems ?? []
    }

    /// Returns a composition with one bundle that has the given fields.
    private func composition(bundle fields: String) -> String {
        "{\"formatVersion\": 1, \"name\": \"App\", \"bundles\": [{\(fields)}]}"
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
            """
        )
        #expect(composed.composition.name == "Sample")
        #expect(composed.start == "app://shop")
        #expect(composed.composition.theme == "com.example.assets.lantern")
        #expect(composed.composition.bundles.map(\.uri) == ["shop", "account"])
        #expect(composed.routes.map(\.pattern.text) == ["shop", "shop/answer", "shop/welcome/:who"])
        #expect(composed.routes.map(\.owner) == Array(repeating: "com.example.app.shop", count: 3))
        #expect(composed.routes.map(\.kind) == [.page, .page, .page])
        #expect(composed.routes.map(\.parameters) == [[], ["id": "42"], ["from": "rule"]])
        #expect(composed.routes.map(Self.name) == ["home", "item", "about"])
        #expect(composed.routes.map(Self.layout) == [nil, nil, "help/about"])
    }

    @Test("A field that is given twice is rejected")
    func twice() throws {
        let error = #expect(throws: AtriumError.self) {
            try read(composition(bundle: "\"uri\": \"shop\", \"pkg\": \"com.me\", \"pkg\": \"com\""))
        }
        #expect(error?.detail.hasSuffix(": \"bundles[0].pkg\" is given twice") == true)
    }

    @Test("The rule for installs on demand is read, and the default is always")
    func installOnDemand() throws {
        for (fields, rule) in [
            ("", .always), ("\"installOnDemand\": \"ask\",", .ask), ("\"installOnDemand\": \"never\",", .never),
        ]
            as [(String, OnDemandPolicy.Rule)]
        {
            let composed = try read("{\"formatVersion\": 1, \"name\": \"App\", \(fields) \"bundles\": []}")
            #expect(composed.composition.installOnDemand == rule)
        }
    }

    @Test("The start address and the rules are optional, and there may be no bundles")
    func smallest() throws {
        let composed = try read("{\"formatVersion\": 1, \"name\": \"App\", \"bundles\": []}")
        #expect(composed.start == nil)
        #expect(composed.routes.isEmpty)
    }

    @Test("The name of a page layout may contain non-ASCII characters")
    func layoutInChinese() throws {
        let composed = try read(composition(bundle: "\"uri\": \"a\", \"pkg\": \"b\", \"rules\": {\"x\": \"帮助/关于\"}"))
        #expect(composed.routes.map(Self.layout) == ["帮助/关于"])
    }

    @Test(
        "Each problem of a composition is reported with its path",
        arguments: [
            ("[]", "expected an object"),
            (
                "{\"formatVersion\": 2, \"bundles\": 7}",
                "formatVersion: expected 1; this host is too old for the file"
            ),
            (
                "{\"formatVersion\": \"1\", \"name\": \"A\", \"bundles\": []}",
                "formatVersion: expected a number"
            ),
            ("{\"name\": \"A\", \"bundles\": []}", "formatVersion: it is missing"),
            ("{\"formatVersion\": 1, \"bundles\": []}", "name: it is missing"),
            ("{\"formatVersion\": 1, \"name\": null, \"bundles\": []}", "name: expected a string"),
            ("{\"formatVersion\": 1, \"name\": \"A\"}", "bundles: it is missing"),
            ("{\"formatVersion\": 1, \"name\": \"A\", \"bundles\": {}}", "bundles: expected an array"),
            ("{\"formatVersion\": 1, \"name\": \"A\", \"bundles\": [7]}", "bundles[0]: expected an object"),
            (
                "{\"formatVersion\": 1, \"name\": \"A\", \"bundle\": [], \"bundles\": []}",
                "bundle: no such field; did you mean \"bundles\"?"
            ),
            (
                "{\"formatVersion\": 1, \"name\": \"A\", \"theme\": \"lantern\", \"bundles\": []}",
                "theme: \"lantern\" is not an identifier such as com.example.assets.lantern"
            ),
            (
                "{\"formatVersion\": 1, \"name\": \"A\", \"theme\": {}, \"bundles\": []}",
                "theme: expected a string"
            ),
            (
                "{\"formatVersion\": 1, \"name\": \"A\", \"installOnDemand\": \"aks\", \"bundles\": []}",
                "installOnDemand: unknown value \"aks\"; expected one of \"always\", \"ask\", \"never\"; "
                    + "did you mean \"ask\"?"
            ),
            (
                "{\"formatVersion\": 1, \"name\": \"A\", \"installOnDemand\": true, \"bundles\": []}",
                "installOnDemand: expected a string"
            ),
            (
                "{\"formatVersion\": 1, \"name\": \"A\", \"start\": 7, \"bundles\": []}",
                "start: expected a string"
            ),
        ]
    )
    func fault(text: String, problem: String) throws {
        #expect(try problems(of: text) == [problem])
    }

    @Test(
        "Each problem of a bundle is reported with its path",
        arguments: [
            ("\"pkg\": \"b\"", "bundles[0].uri: it is missing"),
            ("\"uri\": \"a\"", "bundles[0].pkg: it is missing"),
            ("\"uri\": \"a\", \"pkg\": \"\"", "bundles[0].pkg: expected a bundle identifier"),
            (
                "\"uri\": \"a/b\", \"pkg\": \"b\"",
                "bundles[0].uri: \"a/b\" is not one segment of an address, such as \"shop\""
            ),
            (
                "\"uri\": \":a\", \"pkg\": \"b\"",
                "bundles[0].uri: \":a\" is not one segment of an address, such as \"shop\""
            ),
            (
                "\"uri\": \"\", \"pkg\": \"b\"",
                "bundles[0].uri: \"\" is not one segment of an address, such as \"shop\""
            ),
            (
                "\"uri\": \"app://a\", \"pkg\": \"b\"",
                "bundles[0].uri: \"app://a\" is not one segment of an address, such as \"shop\""
            ),
            ("\"uri\": \"a\", \"pkg\": \"b\", \"rules\": []", "bundles[0].rules: expected an object"),
            (
                "\"uri\": \"a\", \"pkg\": \"b\", \"rules\": {\"x\": 1}",
                "bundles[0].rules[\"x\"]: expected a string or an object"
            ),
            (
                "\"uri\": \"a\", \"pkg\": \"b\", \"rules\": {\"x\": \"a/b/c\"}",
                "bundles[0].rules[\"x\"]: \"a/b/c\" is neither a page name nor a layout/pageId"
            ),
            (
                "\"uri\": \"a\", \"pkg\": \"b\", \"rules\": {\"x\": \"app://a\"}",
                "bundles[0].rules[\"x\"]: \"app://a\" is neither a page name nor a layout/pageId"
            ),
            (
                "\"uri\": \"a\", \"pkg\": \"b\", \"rules\": {\"x/:n\": \"p\", \"x/:m\": \"q\"}",
                "bundles[0].rules[\"x/:n\"]: \"a/x/:m\" matches the same addresses"
            ),
            ("\"uri\": \"a\", \"pkg\": \"b\", \"rule\": {}", "bundles[0].rule: no such field; did you mean \"rules\"?"),
        ]
    )
    func faultInBundle(fields: String, problem: String) throws {
        #expect(try problems(of: composition(bundle: fields)) == [problem])
    }

    @Test("An invalid pattern of a rule and an invalid start address are explained")
    func malformed() throws {
        let rule = "\"uri\": \"a\", \"pkg\": \"b\", \"rules\": {\"x*\": \"p\"}"
        #expect(
            try problems(of: composition(bundle: rule)) == [
                "bundles[0].rules[\"x*\"]: \"*\" is not allowed inside a segment; percent-encode it"
            ]
        )
        let start = "{\"formatVersion\": 1, \"name\": \"A\", \"start\": \"app://%\", \"bundles\": []}"
        #expect(try problems(of: start).map { $0.hasPrefix("start: \"app://%\" is not a valid address: ") } == [true])
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
                "name: it is missing",
                "start: expected a string",
                "bundles[0].pkg: expected a string",
                "bundles[0].rules[\"a\"]: expected a string or an object",
                "bundles[0].rules[\"b\"]: \"x/y/z\" is neither a page name nor a layout/pageId",
                "bundles[1].uri: \"Shop\" is already used by bundles[0]",
            ]
        )
    }

    @Test("A missing file and a file that is not JSON are reported with one specific error each")
    func unreadable() throws {
        let missing = #expect(throws: AtriumError.self) {
            try CompositionReader.read(folder.path.appending("none.json"))
        }
        #expect(missing?.code == .fileUnknown)
        let broken = #expect(throws: AtriumError.self) { try read("{\"formatVersion\": 1,") }
        #expect(
            broken?.detail == "line 1, column 21: expected a name in quotation marks, found the end of the file")
    }

    @Test("Guards and fallbacks of the app, of a scheme, of a bundle and of a rule are read")
    func wishes() throws {
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
        let composition = composed.composition
        #expect(composition.guards == ["Gate.isOpen"])
        #expect(composition.fallback?.text == "app://shop")
        #expect(composition.schemes.map(\.name) == ["https", "app"])
        #expect(composition.schemes.map(\.guards) == [["Gate.isTrusted", "Gate.isOpen"], []])
        #expect(composition.schemes.map(\.fallback?.text) == ["app://shop/web", nil])
        #expect(composition.fallbacks.map(\.pattern.text) == ["old/:id", "shop/**"])
        #expect(composition.fallbacks.map(\.address.text) == ["app://shop?from=old", "app://shop/lost"])
        #expect(composition.bundles.map(\.guards) == [["Account.requireSignIn"]])
        let (detail, plain) = (composed.rules[0], composed.rules[1])
        #expect(detail.target == .page("item") && detail.parameters == ["id": "42"])
        #expect(detail.exposure == .external && detail.guards == ["Gate.isAdult"] && detail.priority == 1)
        #expect(plain.target == .layout("help", pageID: "about"))
        #expect(plain.exposure == nil && plain.guards == [] && plain.priority == 0)
    }

    @Test(
        "Each problem in guards, schemes and fallbacks is reported with its path",
        arguments: [
            ("\"guards\": \"A.b\"", "guards: expected an array of strings"),
            ("\"guards\": [\"A.b\", 7]", "guards[1]: expected a string"),
            ("\"guards\": [\"A.b\", \"isOpen\"]", "guards[1]: \"isOpen\" is not of the form Target.action"),
            ("\"guard\": []", "guard: no such field; did you mean \"guards\"?"),
            ("\"fallback\": 7", "fallback: expected a string"),
            ("\"schemes\": []", "schemes: expected an object"),
            ("\"schemes\": {\"app\": []}", "schemes[\"app\"]: expected an object"),
            ("\"schemes\": {\"a b\": {}}", "schemes[\"a b\"]: \"a b\" is not a scheme such as \"app\""),
            ("\"schemes\": {\"App\": {}, \"app\": {}}", "schemes[\"app\"]: \"app\" occurs twice"),
            (
                "\"schemes\": {\"app\": {\"fallbak\": \"x\"}}",
                "schemes[\"app\"].fallbak: no such field; did you mean \"fallback\"?"
            ),
            ("\"schemes\": {\"app\": {\"guards\": [7]}}", "schemes[\"app\"].guards[0]: expected a string"),
            ("\"fallbacks\": {\"a/**\": 7}", "fallbacks[\"a/**\"]: expected a string"),
            (
                "\"fallbacks\": {\"a/:x\": \"a\", \"a/:y\": \"b\"}",
                "fallbacks[\"a/:y\"]: \"a/:x\" matches the same addresses"
            ),
            (
                "\"fallbacks\": {\"a/:x<slug>\": \"a\"}",
                "fallbacks[\"a/:x<slug>\"]: the converter \"slug\" is unknown; expected one of bool, double, int, "
                    + "string, uuid"
            ),
        ]
    )
    func faultInAttributes(fields: String, problem: String) throws {
        let text = "{\"formatVersion\": 1, \"name\": \"App\", \(fields), \"bundles\": []}"
        #expect(try problems(of: text) == [problem])
    }

    @Test(
        "Each problem in a rule that is an object is reported with its path",
        arguments: [
            ("{}", "rules[\"x\"].page: it is missing"),
            ("{\"page\": 7}", "rules[\"x\"].page: expected a string"),
            ("{\"page\": \"a/b/c\"}", "rules[\"x\"]: \"a/b/c\" is neither a page name nor a layout/pageId"),
            (
                "{\"page\": \"p\", \"exposure\": \"all\"}",
                "rules[\"x\"].exposure: unknown value \"all\"; expected one of internal, plugins, external"
            ),
            ("{\"page\": \"p\", \"priority\": 1.5}", "rules[\"x\"].priority: expected an integer"),
            (
                "{\"page\": \"p\", \"guards\": [\"x\"]}",
                "rules[\"x\"].guards[0]: \"x\" is not of the form Target.action"
            ),
            ("{\"pag\": \"p\", \"page\": \"p\"}", "rules[\"x\"].pag: no such field; did you mean \"page\"?"),
        ]
    )
    func faultInRule(rule: String, problem: String) throws {
        let text = composition(bundle: "\"uri\": \"a\", \"pkg\": \"b\", \"rules\": {\"x\": \(rule)}")
        #expect(try problems(of: text) == ["bundles[0]." + problem])
    }

    @Test("Rules and fallbacks can use the converters that the host registers")
    func converters() throws {
        var converters = RouteConverters.standard
        converters.register(RouteConverter("slug", example: "a-b") { _ in true })
        let text = """
            {"formatVersion": 1, "name": "A", "fallbacks": {"a/:x<slug>": "a"},
             "bundles": [{"uri": "a", "pkg": "b", "rules": {":x<slug>": "page"}}]}
            """
        let path = try folder.write(text, to: "bundle.json")
        #expect(try CompositionReader.read(path, converters: converters).rules.map(\.pattern.text) == ["a/:x<slug>"])
        #expect(try problems(of: text).count == 2)
    }

    private static func name(_ route: Route) -> String? {
        guard case .declared(let name, _) = route.service else { return nil }
        return name
    }

    private static func layout(_ route: Route) -> String? {
        guard case .declared(_, let layout) = route.service else { return nil }
        return layout
    }
}

extension ComposedRoutes {
    /// The routes of the rules as far as they are known without the bundles.
    fileprivate var routes: [Route] { rules.map(\.route) }
}
