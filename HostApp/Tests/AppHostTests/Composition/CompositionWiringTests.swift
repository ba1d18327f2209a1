import PluginCore
import PluginRouter
import PluginRuntime
import Testing

@testable import AppHost

@MainActor
@Suite("Guards and fallbacks of a composition", .tags(.medium))
struct CompositionWiringTests {
    private let fixture: AssetsFixture
    private let notes: BundleIdentifier = "com.example.notes"
    private let member = "{\"uri\": \"notes\", \"pkg\": \"com.example.notes\"}"

    init() throws {
        fixture = try AssetsFixture()
        try fixture.offer(
            notes,
            routes: """
                {"pattern": "notes/one", "page": "one", "layout": "help/one"},
                {"pattern": "notes/lost", "page": "two", "layout": "help/two"}
                """)
    }

    /// Returns the missing target that was called as a guard when an address was opened.
    private func asked(at uri: String, in composed: ComposedRoutes) async throws -> String? {
        do {
            _ = try await fixture.title(at: uri, in: composed)
            return nil
        } catch let error as AtriumError where error.code == .targetUnknown {
            return error.subject
        }
    }

    @Test(
        "Guards run in the order app, scheme, bundle, rule",
        arguments: [
            ("\"guards\": [\"App.isOpen\"], \"schemes\": {\"app\": {\"guards\": [\"Scheme.isOpen\"]}}", "App"),
            ("\"schemes\": {\"APP\": {\"guards\": [\"Scheme.isOpen\"]}}", "Scheme"),
            ("\"schemes\": {\"https\": {\"guards\": [\"Scheme.isOpen\"]}}", "Bundle"),
            ("\"start\": \"app://notes\"", "Bundle"),
        ])
    func guards(fields: String, first: String) async throws {
        let composed = try fixture.composed(
            """
            {"uri": "notes", "pkg": "com.example.notes", "guards": ["Bundle.isOpen"],
             "rules": {"x": {"page": "help/one", "guards": ["Rule.isOpen"]}}}
            """, fields)
        #expect(try await asked(at: "app://notes/x", in: composed) == first)
    }

    @Test("Keys of rules and fallbacks may begin with a slash", arguments: ["x", "/x", "//x", "x/"])
    func slash(key: String) async throws {
        let composed = try fixture.composed(
            #"{"uri": "notes", "pkg": "com.example.notes", "rules": {"\#(key)": "help/one", "/": "help/two"}}"#,
            #""fallbacks": {"/gone": "app://notes/x"}"#)
        #expect(try await fixture.title(at: "app://notes/x", in: composed)?.contains("one") == true)
        #expect(try await fixture.title(at: "app://notes", in: composed)?.contains("two") == true)
        #expect(try await fixture.title(at: "app://gone", in: composed)?.contains("one") == true)
    }

    @Test("The guard of a rule runs for that rule alone")
    func rule() async throws {
        let composed = try fixture.composed(
            """
            {"uri": "notes", "pkg": "com.example.notes", "rules": {"x": {"page": "help/one", "guards": ["Rule.isOpen"]}}}
            """)
        #expect(try await asked(at: "app://notes/x", in: composed) == "Rule")
        #expect(try await asked(at: "app://notes/one", in: composed) == nil)
    }

    @Test(
        "The fallback of an unserved address is chosen by pattern, then by scheme, then for all addresses",
        arguments: [
            ("app://notes/none", "com.example.notes two pattern"), ("app://else", "com.example.notes two scheme"),
            ("web://else", "com.example.notes two all"), ("app://notes/one", "com.example.notes one "),
        ])
    func fallbacks(uri: String, title: String) async throws {
        let composed = try fixture.composed(
            member,
            """
            "fallback": "app://notes/lost?from=all", "fallbacks": {"notes/**": "app://notes/lost?from=pattern"},
            "schemes": {"app": {"fallback": "app://notes/lost?from=scheme"}}
            """)
        #expect(try await fixture.title(at: uri, in: composed) == title)
    }

    @Test("If the fallback cannot be opened, the error of the original address is reported")
    func lost() async throws {
        let composed = try fixture.composed(member, "\"fallback\": \"app://nowhere\"")
        let error = await #expect(throws: AtriumError.self) {
            try await fixture.title(at: "app://notes/oen", in: composed)
        }
        #expect(error?.code == .routeUnknown && error?.subject == "app://notes/oen")
        #expect(error?.nearest.first == "app://notes/one")
    }

    @Test("An external link opens a page only if a rule or the manifest exposes it")
    func exposure() async throws {
        let route = #"{"pattern": "open/one", "page": "one", "layout": "help/one", "exposure": "external"}"#
        try await fixture.manager.install(notes)
        try await fixture.installed("com.example.open", routes: route)
        let composed = try fixture.composed(
            """
            {"uri": "notes", "pkg": "com.example.notes",
             "rules": {"in": {"page": "help/one", "exposure": "external"}, "x": "help/one"}},
            {"uri": "open", "pkg": "com.example.open",
             "rules": {"x": "help/one", "shut": {"page": "help/one", "exposure": "internal"}}}
            """)
        let router = try fixture.manager(of: composed).router
        let outside = router.routing(for: .external)
        for (path, isOpen) in [
            ("notes/in", true), ("notes/x", false), ("notes/one", false), ("notes", false), ("open/x", true),
            ("open/shut", false), ("open/one", true), ("open", true),
        ] {
            #expect(await outside.canOpen(try ResourceURI("app://\(path)")) == isOpen, "\(path)")
        }
    }
}
