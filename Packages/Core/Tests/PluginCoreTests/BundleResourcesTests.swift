import FoundationEssentials
import PluginCore
import Synchronization
import Testing

@Suite("A bundle's resources")
struct BundleResourcesTests {
    private func withResources(_ files: [String: String], _ body: (FilePath) throws -> Void) throws {
        let root = FilePath(FileManager.default.temporaryDirectory.path).appending("resources-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: root.string) }
        for (name, text) in files {
            let path = root.appending(name)
            try FileManager.default.createDirectory(atPath: path.parent.string, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: path.string))
        }
        try body(root)
    }

    @Test("speak the user's language, then its wider form, then English, then the key")
    func languages() throws {
        let files = [
            "en.lproj/Localizable.json": #"{"hello": "Hello, {}!", "only": "English"}"#,
            "zh-Hans.lproj/Localizable.json": #"{"hello": "你好，{}！"}"#,
        ]
        try withResources(files) { root in
            let resources = BundleResources(root: root, languages: ["zh-Hans-CN"])
            #expect(resources.string("hello", "家居") == "你好，家居！")
            #expect(resources.string("only") == "English")
            #expect(resources.string("none") == "none")
            #expect(BundleResources(root: root).string("hello", 5) == "Hello, 5!")
        }
    }

    @Test("never lie outside their folder", arguments: ["/etc/passwd", "../x", "a/../../x", "", "a//b", "."])
    func outside(name: String) throws {
        let resources = BundleResources(root: "/tmp")
        #expect(throws: AtriumError.self) { try resources.path(of: name) }
    }

    @Test("hold pages described by data, filled with parameters and texts")
    @MainActor
    func layout() throws {
        let files = [
            "en.lproj/Localizable.json": #"{"title": "About {app}"}"#,
            "Pages/help.json": """
            {"pages": {"about": {"title": "@title", "content": [{"heading": "H"}, {"text": "{a}{b}{none}"},
            {"label": "L", "value": "{a}"}, {"rows": [{"title": "R"}]}, {"divider": true}]}}}
            """,
        ]
        try withResources(files) { root in
            let resources = BundleResources(root: root)
            let page = LayoutPage(
                try resources.screen("help/about"), parameters: ["app": "Shop", "a": "{b}", "b": "2"],
                router: NoRouter()
            ) { resources.string($0) }
            #expect(page.title == "About Shop")
            #expect(
                page.content == [
                    .heading("H"), .text("{b}2{none}"), .field(label: "L", value: "{b}"), .list([PageRow("R")]),
                    .divider,
                ]
            )
        }
    }

    @Test("put at most a mebibyte of parameters into a page, however often its layout names them")
    @MainActor
    func longPage() async throws {
        let many = String(repeating: "{x}", count: 20_000)
        let layout = """
            {"pages": {"a": {"title": "\(many)", "content": [{"text": "\(many)"}, {"text": "\(many)"}],
             "actions": [{"id": "go", "title": "G", "open": "app://x/\(many)"}]}}}
            """
        let screen = try #require(try JSONDecoder().decode(PageLayout.self, from: Data(layout.utf8)).pages["a"])
        func page(_ value: String) -> LayoutPage {
            LayoutPage(screen, parameters: ["x": value], router: NoRouter()) { $0 }
        }
        #expect(page("ab").title == String(repeating: "ab", count: 20_000))
        let long = page(String(repeating: "a", count: 900))
        #expect(long.title.utf8.count < 1_200_000)
        #expect(long.title.last == "…")
        let texts = long.content.map { if case .text(let text) = $0 { text.utf8.count } else { 0 } }
        #expect(texts.reduce(0, +) < 1_300_000)
        let error = await #expect(throws: AtriumError.self) {
            try await long.perform("go", input: [:], on: NoNavigator())
        }
        #expect(error?.code == .resourceInvalid)
    }

    @Test("are what their reader says, which is asked for no name that leads out, and is told of texts that it refused")
    func reader() throws {
        let refused = Mutex<[AtriumError.Code]>([])
        let resources = BundleResources(root: "/nonexistent", languages: ["de", "fr"]) { name throws(AtriumError) in
            switch name {
            case "a": return Array("A".utf8)
            case "Pages/p.json": return Array(#"{"pages": {"a": {"title": "t", "content": []}}}"#.utf8)
            case "de.lproj/Localizable.json": throw AtriumError(.sealBroken, name)
            case "en.lproj/Localizable.json": return Array(#"{"hello": "Hello"}"#.utf8)
            case "..": throw AtriumError(.sealBroken, "what leads out was asked for")
            default: throw AtriumError(.resourceUnknown, name)
            }
        } onRefusedTexts: { error in
            refused.withLock { $0.append(error.code) }
        }
        #expect(try resources.bytes(of: "a") == Array("A".utf8))
        #expect(try resources.screen("p/a").title == "t")
        let error = #expect(throws: AtriumError.self) { try resources.bytes(of: "..") }
        #expect(error?.code == .resourceUnknown)
        #expect(resources.string("hello") == "Hello" && resources.string("hello") == "Hello")
        #expect(refused.withLock { $0 } == [.sealBroken])
    }

    @Test("name the pages of a layout that has not the one asked for")
    func unknownPage() throws {
        try withResources(["Pages/help.json": #"{"pages": {"about": {"title": "t", "content": []}}}"#]) { root in
            let error = #expect(throws: AtriumError.self) { try BundleResources(root: root).screen("help/abuot") }
            #expect(error?.code == .resourceUnknown)
            #expect(error?.nearest == ["about"])
        }
    }

    @Test("refuse a layout with an element of no known kind")
    func unknownElement() throws {
        let text = #"{"pages": {"a": {"title": "t", "content": [{"video": 1}]}}}"#
        try withResources(["Pages/help.json": text]) { root in
            let error = #expect(throws: AtriumError.self) { try BundleResources(root: root).screen("help/a") }
            #expect(error?.code == .resourceInvalid)
        }
    }
}

private struct NoRouter: Routing {
    func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome { .shown }
    func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable { () }
    func canOpen(_ uri: ResourceURI) async -> Bool { false }
    func register(
        _ pattern: String, kind: RouteKind, options: RouteOptions, handler: @escaping RouteHandler
    ) async throws {}
    func intercept(_ pattern: String?, by interceptor: any RouteInterceptor) async throws {}
    func address(of pattern: String, _ parts: AddressParts, scheme: String?) throws -> ResourceURI {
        try ResourceURI(pattern)
    }
    func unregister(_ pattern: String) {}
}

@MainActor
private final class NoNavigator: Navigator {
    let pages: [any Page] = []
    func push(_ page: any Page) {}
    func pop() {}
    func present(_ page: any Page) async -> (any Sendable)? { nil }
    func dismiss(returning value: (any Sendable)?) {}
    func show(notice: String) {}
}
