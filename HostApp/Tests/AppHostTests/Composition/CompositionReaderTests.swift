import PluginCore
import PluginRouter
import Testing

@testable import AppHost

@Suite("bundle.json")
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

    /// A composition of one bundle with these fields.
    private func composition(bundle fields: String) -> String {
        "{\"formatVersion\": 1, \"name\": \"App\", \"bundles\": [{\(fields)}]}"
    }

    @Test("names the app, its start and its bundles, and makes a route of each rule")
    func good() throws {
        let composed = try read(
            """
            {
              "formatVersion": 1, "name": "Sample", "start": "app://shop",
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
        #expect(composed.composition.bundles.map(\.uri) == ["shop", "account"])
        #expect(composed.routes.map(\.pattern.text) == ["shop", "shop/answer", "shop/welcome/:who"])
        #expect(composed.routes.map(\.owner) == Array(repeating: "com.example.app.shop", count: 3))
        #expect(composed.routes.map(\.kind) == [.page, .page, .page])
        #expect(composed.routes.map(\.parameters) == [[], ["id": "42"], ["from": "rule"]])
        #expect(composed.routes.map(Self.name) == ["home", "item", "about"])
        #expect(composed.routes.map(Self.layout) == [nil, nil, "help/about"])
    }

    @Test("may leave out start and rules, and have no bundles")
    func smallest() throws {
        let composed = try read("{\"formatVersion\": 1, \"name\": \"App\", \"bundles\": []}")
        #expect(composed.start == nil)
        #expect(composed.routes.isEmpty)
    }

    @Test("finds a page layout whose name is not ASCII")
    func layoutInChinese() throws {
        let composed = try read(composition(bundle: "\"uri\": \"a\", \"pkg\": \"b\", \"rules\": {\"x\": \"帮助/关于\"}"))
        #expect(composed.routes.map(Self.layout) == ["帮助/关于"])
    }

    @Test(
        "gives the place of each problem",
        arguments: [
            ("[]", "an object is expected here"),
            (
                "{\"formatVersion\": 2, \"bundles\": 7}",
                "formatVersion: it is not 1; this host is too old for the file"
            ),
            (
                "{\"formatVersion\": \"1\", \"name\": \"A\", \"bundles\": []}",
                "formatVersion: a number is expected here"
            ),
            ("{\"name\": \"A\", \"bundles\": []}", "formatVersion: it is missing"),
            ("{\"formatVersion\": 1, \"bundles\": []}", "name: it is missing"),
            ("{\"formatVersion\": 1, \"name\": null, \"bundles\": []}", "name: a text is expected here"),
            ("{\"formatVersion\": 1, \"name\": \"A\"}", "bundles: it is missing"),
            ("{\"formatVersion\": 1, \"name\": \"A\", \"bundles\": {}}", "bundles: a list is expected here"),
            ("{\"formatVersion\": 1, \"name\": \"A\", \"bundles\": [7]}", "bundles[0]: an object is expected here"),
            (
                "{\"formatVersion\": 1, \"name\": \"A\", \"bundle\": [], \"bundles\": []}",
                "bundle: no such field; did you mean \"bundles\"?"
            ),
            (
                "{\"formatVersion\": 1, \"name\": \"A\", \"start\": 7, \"bundles\": []}",
                "start: a text is expected here"
            ),
        ]
    )
    func fault(text: String, problem: String) throws {
        #expect(try problems(of: text) == [problem])
    }

    @Test(
        "gives the place of each problem in a bundle",
        arguments: [
            ("\"pkg\": \"b\"", "bundles[0].uri: it is missing"),
            ("\"uri\": \"a\"", "bundles[0].pkg: it is missing"),
            ("\"uri\": \"a\", \"pkg\": \"\"", "bundles[0].pkg: a bundle's identifier is expected here"),
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
            ("\"uri\": \"a\", \"pkg\": \"b\", \"rules\": []", "bundles[0].rules: an object is expected here"),
            (
                "\"uri\": \"a\", \"pkg\": \"b\", \"rules\": {\"x\": 1}",
                "bundles[0].rules[\"x\"]: a text is expected here"
            ),
            (
                "\"uri\": \"a\", \"pkg\": \"b\", \"rules\": {\"x\": \"\"}",
                "bundles[0].rules[\"x\"]: \"\" is no page's name and no layout/pageId"
            ),
            (
                "\"uri\": \"a\", \"pkg\": \"b\", \"rules\": {\"x\": \"a/b/c\"}",
                "bundles[0].rules[\"x\"]: \"a/b/c\" is no page's name and no layout/pageId"
            ),
            (
                "\"uri\": \"a\", \"pkg\": \"b\", \"rules\": {\"x\": \"app://a\"}",
                "bundles[0].rules[\"x\"]: \"app://a\" is no page's name and no layout/pageId"
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

    @Test("tells what is wrong with a rule's pattern, and with a start that is no address")
    func malformed() throws {
        let rule = "\"uri\": \"a\", \"pkg\": \"b\", \"rules\": {\"x*\": \"p\"}"
        #expect(
            try problems(of: composition(bundle: rule)) == [
                "bundles[0].rules[\"x*\"]: \"*\" has no meaning inside a segment; write it as an escape"
            ]
        )
        let start = "{\"formatVersion\": 1, \"name\": \"A\", \"start\": \"app://%\", \"bundles\": []}"
        #expect(try problems(of: start).map { $0.hasPrefix("start: \"app://%\" is no address; ") } == [true])
    }

    @Test("reports all problems at once")
    func allAtOnce() throws {
        let text = """
            {
              "formatVersion": 1, "start": 7,
              "bundles": [
                { "uri": "shop", "pkg": 1, "rules": { "b": "x/y/z", "a": "" } },
                { "uri": "Shop", "pkg": "com.example.app.other" }
              ]
            }
            """
        #expect(
            try problems(of: text) == [
                "name: it is missing",
                "start: a text is expected here",
                "bundles[0].pkg: a text is expected here",
                "bundles[0].rules[\"a\"]: \"\" is no page's name and no layout/pageId",
                "bundles[0].rules[\"b\"]: \"x/y/z\" is no page's name and no layout/pageId",
                "bundles[1].uri: \"Shop\" belongs to bundles[0]",
            ]
        )
    }

    @Test("says of a file that is not there, and of one that is no JSON, just that")
    func unreadable() throws {
        let missing = #expect(throws: AtriumError.self) {
            try CompositionReader.read(folder.path.appending("none.json"))
        }
        #expect(missing?.detail == "it can not be read")
        let broken = #expect(throws: AtriumError.self) { try read("{\"formatVersion\": 1,") }
        #expect(broken?.detail == "it is not JSON")
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
